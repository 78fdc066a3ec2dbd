import { brotliCompressSync, constants } from 'node:zlib'
import type { Page, Response } from 'playwright-core'
import { expect, test } from 'vitest'
import { ACCOUNT_SCRIPT_BYTES, DESK_SCRIPT_BYTES } from '../../tools/bench/budgets.ts'
import { openPage } from '../harness/open-page.ts'
import { createOperator } from '../harness/operator.ts'
import { FAILED, REFUSED } from './support/complaints.ts'
import { expectPath, personWithPlan, signInBrowser } from './support/person.ts'

function countScripts(page: Page) {
  const scripts = new Map<string, Response>()
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) scripts.set(response.url(), response)
  })
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  // A script that arrives after the count is not read: the page may be closed by then.
  return async () => {
    let total = 0
    for (const response of [...scripts.values()])
      total += brotliCompressSync(await response.body(), { params }).length
    return total
  }
}

const isReact = (address: string) => /\/_astro\/(?:client|react)\./.test(address)

test.each([
  '/dashboard',
  '/profile',
  '/profile?tab=subscription',
  '/profile?tab=security',
  '/settings',
  '/device',
  '/tokens',
  '/receipt?id=x',
  '/subscription/success',
  '/subscription/cancel',
])('%s loads no more JavaScript than its budget', async (path) => {
  const { page } = await openPage({ mayComplain: REFUSED })
  await signInBrowser(page, (await personWithPlan()).token)
  const total = countScripts(page)
  await page.goto(path, { waitUntil: 'networkidle' })
  expect(await total()).toBeLessThanOrEqual(ACCOUNT_SCRIPT_BYTES)
})

test('the desk loads no more JavaScript than its budget', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await createOperator()).bearer)
  // The settings let an operator in.
  await page.goto('/settings?tab=desk')
  await expectPath(page, '/desk')
  // Its scripts are asked for again each time, and an answer without a body could not be weighed. With a route, nothing is cached.
  await page.route('**/*.js', (route) => route.continue())
  const total = countScripts(page)
  await page.goto('/desk', { waitUntil: 'networkidle' })
  expect(await total()).toBeLessThanOrEqual(DESK_SCRIPT_BYTES)
})

test.each(['/login', '/register', '/forgot-password', '/reset-password/x', '/verify-email/x'])(
  '%s loads no more JavaScript than its budget',
  async (path) => {
    const { page } = await openPage({ mayComplain: REFUSED })
    const total = countScripts(page)
    await page.goto(path, { waitUntil: 'networkidle' })
    expect(await total()).toBeLessThanOrEqual(ACCOUNT_SCRIPT_BYTES)
  },
)

test.each(['/contact', '/careers', '/subscription'])(
  '%s loads no React for a visitor who only reads',
  async (path) => {
    const { page } = await openPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(path, { waitUntil: 'networkidle' })
    expect(asked.filter(isReact)).toEqual([])
    // The one call that a reader's page makes (docs/decisions/0133-switches-are-rows-read-in-passing.md).
    const calls = asked.filter((address) => address.startsWith('/api/'))
    expect(calls).toEqual(['/api/announcement'])
    await page.locator('astro-island').first().dispatchEvent('pointerover')
    await expect.poll(() => asked.some(isReact)).toBe(true)
  },
)

test('the landing page loads no React, not even for its films', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/')
  await page.locator('video[data-ready=true]').waitFor()
  await page.getByRole('button', { name: 'Next film' }).click()
  await page.waitForLoadState('networkidle')
  expect(asked.filter(isReact)).toEqual([])
})

test('the session is requested once', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await personWithPlan()).token)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/dashboard', { waitUntil: 'networkidle' })
  expect(asked.filter((address) => address === '/api/auth/me')).toHaveLength(1)
})

test('the tokens left are shown before any module of the page has arrived', async () => {
  const { page } = await openPage({ mayComplain: FAILED })
  await signInBrowser(page, (await personWithPlan()).token)
  await page.route('**/_astro/*.js', (route) => route.abort())
  await page.goto('/dashboard')
  await page.getByText('1,000,000 tokens left').waitFor()
})
