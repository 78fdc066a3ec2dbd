import { expect, inject, test } from 'vitest'
import { openPage } from '../../harness/open-page.ts'
import { newVisitor } from '../../harness/visitor.ts'
import { ALL_PATHS } from './pages.ts'
import { openSettled } from './settled.ts'

const visitor = newVisitor(inject('siteUrl'))

test('every page carries the security headers, and allows its own scripts by hash, and none inline as such', async () => {
  for (const path of ALL_PATHS) {
    const { headers, body } = await visitor.call(path)
    expect(headers.get('strict-transport-security'), path).toMatch(/max-age=63072000/)
    expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    expect(headers.get('x-frame-options'), path).toBe('DENY')
    const captures = path === '/screen-sharing' ? 'display-capture=(self)' : 'display-capture=()'
    expect(headers.get('permissions-policy'), path).toContain('camera=()')
    expect(headers.get('permissions-policy'), path).toContain(captures)
    const referrer = /reset-password|verify-email|not-me/.test(path)
      ? 'no-referrer'
      : 'strict-origin-when-cross-origin'
    expect(headers.get('referrer-policy'), path).toBe(referrer)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy, path).toContain("frame-ancestors 'none'")
    const scripts = /script-src ([^;]+)/.exec(policy)?.[1] ?? ''
    expect(scripts, path).toContain("'sha256-")
    expect(policy, path).toContain('report-uri /api/csp-report')
    expect(scripts, path).not.toContain('unsafe')
    expect(String(body), path).not.toMatch(/<[^>]+\sstyle="/)
    // The payment window may open that of a bank.
    const pays = path === '/subscription' || path === '/dashboard'
    expect(policy.includes('razorpay.com'), path).toBe(pays)
    const opener = pays ? 'same-origin-allow-popups' : 'same-origin'
    expect(headers.get('cross-origin-opener-policy'), path).toBe(opener)
    if (pays)
      expect(headers.get('permissions-policy'), path).toContain('payment=(self "https://api')
  }
})

test('the report of a browser about a violation is accepted', async () => {
  const { page } = await openPage({
    mayLog: /Content Security Policy/,
  })
  await openSettled(page, '/terms')
  const reported = page.waitForRequest('/api/csp-report')
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement('script'), { text: 'void 0' }))
  })
  const report = await reported
  expect(report.headers()['content-type']).toBe('application/csp-report')
  expect((await report.response())?.status()).toBe(204)
})
