import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createFixture } from '#harness/fixture/fixture.ts'
import { createApp } from '../app.ts'
import type { RateLimiter } from '../http/env.ts'

const ORIGIN = 'http://localhost:8787'

function reporter(allow: RateLimiter = () => Promise.resolve(true)) {
  const fixture = createFixture()
  const app = createApp()
  const lines: unknown[] = []
  const warn = (...line: unknown[]) => void lines.push(line)
  const send = (body: unknown, type = 'application/csp-report') => {
    const ctx = fixture.ctx()
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': type } }
    return app.request('/api/csp-report', init, {
      ctx: { ...ctx, log: { ...ctx.log, warn } },
      allow,
    })
  }
  return { fixture, lines, send }
}

const violation = (change: Record<string, unknown> = {}) => ({
  'csp-report': {
    'document-uri': `${ORIGIN}/login`,
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.example/x.js?stolen=secret-part',
    'source-file': `${ORIGIN}/_astro/app.Bx-1_.js?secret-part`,
    'line-number': 12,
    'script-sample': 'secret-part',
    ...change,
  },
})

test('a report is logged without query strings', async () => {
  const { send, lines } = reporter()
  expect((await send(violation())).status).toBe(204)
  const logged = {
    page: '/login',
    directive: 'script-src-elem',
    blocked: 'https://evil.example',
    source: '/_astro/app.Bx-1_.js',
    line: 12,
  }
  expect(lines).toEqual([['content security policy violated', logged]])
})

test('the secret in the path of a mailed link is not logged, nor what an extension names', async () => {
  const { send, lines } = reporter()
  const page = `${ORIGIN}/reset-password/secret-part?next=secret-part#secret-part`
  await send(violation({ 'document-uri': page, 'blocked-uri': 'inline', 'source-file': page }))
  const source = 'moz-extension://7d2a/secret-part.js'
  await send(violation({ 'source-file': source, 'blocked-uri': 'data:secret-part' }))
  expect(lines.flat()).toMatchObject([
    expect.any(String),
    { page: '/reset-password', blocked: 'inline', source: '/reset-password' },
    expect.any(String),
    { page: '/login', blocked: 'data:', source: 'moz-extension:' },
  ])
})

test('each page and directive is logged once in ten minutes, and invented reports hide none', async () => {
  const { fixture, send, lines } = reporter()
  for (let at = 0; at < 60; at += 1) {
    await send(violation({ 'document-uri': `${ORIGIN}/invented-${at}` }))
    await send(violation({ 'blocked-uri': `https://evil-${at}.example/` }))
    await send(violation({ 'effective-directive': `invented-${'x'.repeat(at % 20)}` }))
  }
  expect(lines).toHaveLength(3)
  fixture.advance(10 * 60_000)
  const files = [...(await readdir('site/pages')), ...(await readdir('site/content/legal'))]
  const names = files.flatMap((file) => /^([\w-]+)\.(astro|md)$/.exec(file)?.[1] ?? [])
  const pages = [...new Set(names)]
  await send(violation({ 'document-uri': `${ORIGIN}/invented` }))
  for (const page of pages)
    await send(violation({ 'document-uri': `${ORIGIN}/${page === 'index' ? '' : page}` }))
  expect(pages.length).toBeGreaterThan(15)
  expect(lines).toHaveLength(4 + pages.length)
})

test.each([
  ['no report', { some: 'object' }, 400],
  [
    "a report about another site's page",
    violation({ 'document-uri': 'https://evil.example/' }),
    400,
  ],
  ['more than 64 KiB', ['x'.repeat(70_000)], 413],
])('%s is rejected and not logged', async (_what, body, status) => {
  const { send, lines } = reporter()
  expect((await send(body)).status).toBe(status)
  expect(lines).toEqual([])
})

test('other media types and methods are rejected', async () => {
  const { send, lines } = reporter()
  expect((await send(violation(), 'text/plain')).status).toBe(415)
  const { fixture } = reporter()
  const services = { ctx: fixture.ctx(), allow: () => Promise.resolve(true) }
  const answer = await createApp().request('/api/csp-report', {}, services)
  expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST'])
  expect(lines).toEqual([])
})

test('reports are limited by the address they come from', async () => {
  const keys: string[] = []
  const { send, lines } = reporter((limit, key) =>
    Promise.resolve(keys.push(`${limit} ${key}`) < 0),
  )
  expect((await send(violation())).status).toBe(429)
  expect(keys).toEqual(['cspReport address:192.0.2.1'])
  expect(lines).toEqual([])
})
