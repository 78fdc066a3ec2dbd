import { brotliCompressSync, constants } from 'node:zlib'
import type { Page, Request, Response } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import {
  ACCOUNT_SCRIPT_BYTES,
  ACCOUNT_SCRIPTS,
  DESK_SCRIPT_BYTES,
  FIRST_FLIGHT_BYTES,
  FORM_SCRIPT_BYTES,
  LANDING_SCRIPT_BYTES,
  pageRequests,
} from '../../tools/bench/budgets.ts'
import { createMember } from '../harness/member.ts'
import { openPage, type PageOptions } from '../harness/open-page.ts'
import { createOperator } from '../harness/operator.ts'
import { visitor } from '../harness/visitor.ts'
import { PUBLIC_PATHS, TEXT_PATHS } from './site/pages.ts'
import { BUY } from './support/checkout.ts'
import { REFUSED } from './support/complaints.ts'
import { holdScripts } from './support/hold.ts'
import { expectPath, personWithPlan, signInBrowser, openAs } from './support/person.ts'

/** The compression of an edge on the fly. */
const compressed = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length

const IS_TEXT = /html|javascript|css|json|svg|xml/
const isFilm = (path: string) => /\.(webm|mp4)$/.test(path)
const isScript = (path: string) => path.endsWith('.js')
const isReact = (path: string) => /\/_astro\/(?:client|react)\./.test(path)

interface Loaded {
  path: string
  /** Its size on the wire; with its headers if it is a page. */
  bytes: number
}

/** A window for several pages, which keeps no file from one to the next: with a route nothing is cached. */
async function openUncached(options: PageOptions) {
  const { page } = await openPage(options)
  await page.route('**/*.js', (route) => route.continue())
  return page
}

/** What a page loads until its late script has run and it requests nothing more. */
async function load(page: Page, path: string): Promise<Loaded[]> {
  // Unfinished requests of the previous page do not count.
  await page.goto('/robots.txt')
  const asked: string[] = []
  const responses: Response[] = []
  const note = (request: Request) => asked.push(request.url())
  const keep = (response: Response) => responses.push(response)
  page.on('request', note)
  page.on('response', keep)
  const late = page.waitForResponse('**/api/announcement')
  await page.goto(path)
  await late
  await page.waitForLoadState('networkidle')
  page.off('request', note)
  page.off('response', keep)
  const ofSite = responses.filter((response) => response.url().startsWith('http'))
  const elsewhere = asked.filter((url) => /^http/.test(url) && !url.startsWith(inject('siteUrl')))
  expect(elsewhere).toEqual([])
  return Promise.all(
    ofSite.map(async (response) => ({ path: pathOf(response), bytes: await weigh(response) })),
  )
}

const pathOf = (response: Response) => new URL(response.url()).pathname

async function weigh(response: Response): Promise<number> {
  const body = await response.body().catch(() => Buffer.alloc(0))
  const type = response.headers()['content-type'] ?? ''
  const weight = IS_TEXT.test(type) ? compressed(body) : body.length
  if (!type.includes('html')) return weight
  return weight + (await response.request().sizes()).responseHeadersSize
}

const sum = (loaded: readonly Loaded[]) => loaded.reduce((total, { bytes }) => total + bytes, 0)

/** The pages whose forms and dialogs are React, which waits until somebody uses them. */
const WITH_FORMS = ['/subscription', '/careers', '/contact']

test('public pages stay within their budgets of bytes and requests', async () => {
  const page = await openUncached({ reducedMotion: 'no-preference' })
  // The landing page is measured on a phone.
  const measured = ['/', ...TEXT_PATHS.slice(1)]
  for (const path of PUBLIC_PATHS.filter((one) => !measured.includes(one))) {
    const loaded = await load(page, path)
    await expectFirstFlight(page, path, loaded)
    const paths = loaded.map((one) => one.path)
    await expectLateScripts(page)
    if (!WITH_FORMS.includes(path)) {
      const scripts = loaded.filter((one) => isScript(one.path))
      expect(sum(scripts), path).toBeLessThanOrEqual(8_000)
      continue
    }
    // The one call that a reader's page makes (docs/decisions/0133-switches-are-rows-that-cost-no-extra-round-trip.md).
    expect(paths.filter((one) => one.startsWith('/api/'))).toEqual(['/api/announcement'])
    const react = page.waitForRequest((request) => isReact(new URL(request.url()).pathname))
    await page.locator('astro-island').first().dispatchEvent('pointerover')
    await react
  }
})

/** A public page comes with its styles in the first flight, and asks for few files, none of them React's. */
async function expectFirstFlight(page: Page, path: string, loaded: readonly Loaded[]) {
  const html = loaded.find((one) => one.path === path)
  expect(html?.bytes, path).toBeLessThanOrEqual(FIRST_FLIGHT_BYTES)
  expect(await page.locator('link[rel=stylesheet]').count(), path).toBe(0)
  // The browser asks for a film in as many pieces as it likes.
  const asked = loaded.map((one) => one.path).filter((one) => !isFilm(one))
  expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(pageRequests(path))
  expect(asked.filter(isReact), path).toEqual([])
}

test('pages of text are as small, and request the same files as the one among them that is measured', async () => {
  const files = new Set<string>()
  for (const path of TEXT_PATHS) {
    const { headers, body } = await visitor().call(path)
    const html = String(body)
    const head = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const bytes = compressed(Buffer.from(html)) + head.length
    expect(bytes, path).toBeLessThanOrEqual(FIRST_FLIGHT_BYTES)
    const named =
      html.match(/(?<=["'`(])\/[\w./-]+\.(?:js|css|woff2|svg|png|webp|avif|webm)/g) ?? []
    files.add(named.sort().join(' '))
  }
  expect([...files]).toEqual([expect.stringContaining('.js')])
})

test('the landing page of a phone: few requests, a small script after the paint, no React for its films', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference', width: 412, height: 823 })
  await signInBrowser(page, (await createMember()).bearer)
  const loaded = await load(page, '/')
  await expectFirstFlight(page, '/', loaded)
  const early = loaded.filter(({ path }) => !path.startsWith('/_astro/') && !isFilm(path))
  expect(early.length, early.map(({ path }) => path).join(' ')).toBeLessThanOrEqual(6)
  expect(sum(early)).toBeLessThanOrEqual(60_000)
  expect(loaded.filter(({ path }) => path.endsWith('.avif'))).toHaveLength(1)
  expect(sum(loaded.filter(({ path }) => isScript(path)))).toBeLessThanOrEqual(LANDING_SCRIPT_BYTES)
  const { poster } = await expectLateScripts(page)
  expect(poster).toContain('/clips/ai-interview-assistant')

  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  expect(asked.filter(isReact)).toEqual([])
  await page.getByRole('button', { name: 'Next film' }).click()
  await expect.poll(() => asked.filter(isReact)).not.toEqual([])
})

/** docs/decisions/0022-pages-that-are-read-load-their-scripts-late.md */
async function expectLateScripts(page: Page) {
  const { waited, poster } = await page.evaluate(lateScripts)
  // A busy machine is later, never earlier. Times are rounded.
  expect(waited).toBeGreaterThanOrEqual(299)
  return { poster }
}

test('forms of guests load at most 15 KB of script, after their paint, until somebody uses them', async () => {
  const page = await openUncached({})
  for (const path of ['/login', '/register', '/forgot-password']) {
    const loaded = await load(page, path)
    const scripts = loaded.filter((one) => isScript(one.path))
    expect(sum(scripts), path).toBeLessThanOrEqual(15_000)
    expect(loaded.filter((one) => one.path === '/api/auth/me')).toEqual([])
    await expectLateScripts(page)
    const react = page.waitForRequest((request) => isReact(new URL(request.url()).pathname))
    await page.getByLabel('Email').focus()
    await react
  }
})

/**
 * Runs in the page: how long it asked for no script after it had loaded and painted, in milliseconds, and the picture that
 * was painted largest.
 */
async function lateScripts() {
  const entries = await new Promise<PerformanceEntryList>((resolve) => {
    new PerformanceObserver((list) => {
      resolve(list.getEntries())
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })
  const largest = entries.at(-1)
  const scripts = performance
    .getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js'))
    .map(({ startTime }) => startTime)
  const [paint] = performance.getEntriesByType('paint')
  const [navigation] = performance.getEntriesByType('navigation')
  const loadedAt =
    navigation instanceof PerformanceNavigationTiming ? navigation.loadEventStart : Infinity
  return {
    waited: Math.min(...scripts) - Math.max(paint?.startTime ?? Infinity, loadedAt),
    poster: largest !== undefined && 'url' in largest ? String(largest.url) : '',
  }
}

const ACCOUNT = [
  '/dashboard',
  '/profile',
  '/profile?tab=subscription',
  '/profile?tab=security',
  '/device',
  '/tokens',
  '/subscription',
  '/receipt?id=x',
  '/subscription/success',
]
const GUEST = ['/reset-password/x', '/verify-email/x']

/** Pages whose first screen is a form, which loads zod. */
const WITH_RULES = ['/reset-password/x', '/device']

/** The head names every script that the first screen of a signed-in user imports, so that none waits for another. */
async function expectNamedInHead(page: Page, path: string, scripts: readonly Loaded[]) {
  if (!SCREENS.includes(path) || path === '/subscription') return
  const named = await page
    .locator('link[rel=modulepreload]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(scripts.filter((one) => !named.includes(one.path)).map((one) => one.path)).toEqual([])
}

/** The pages of an account by the calls of their first screen, which the head sends, and what the HTML shows of it. */
const FIRST_SCREENS = {
  '/dashboard': {
    calls: ['/api/auth/me', '/api/payment/purchases', '/api/usage'],
    shown: ['1,000,000 tokens left', 'Your plan'],
  },
  '/profile': { calls: ['/api/auth/me'], shown: ['Account settings', 'Security'] },
  '/tokens': { calls: ['/api/auth/me', '/api/usage/statement'], shown: [] },
  '/subscription': {
    calls: ['/api/auth/me', '/api/subscription/plans-with-pricing'],
    shown: ['Buy a token pack'],
  },
}
const SCREENS = Object.keys(FIRST_SCREENS)

test('pages of an account send the calls of their first screen, and show headings, tabs, placeholders and the tokens left, before any script has arrived', async () => {
  const { page } = await openPage()
  await signInBrowser(page, (await personWithPlan()).token)
  const release = await holdScripts(page)
  let asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  for (const [path, { calls, shown }] of Object.entries(FIRST_SCREENS)) {
    asked = []
    await page.goto(path, { waitUntil: 'commit' })
    const early = () => asked.filter((one) => /^\/api\/(?!announcement)/.test(one)).sort()
    await expect.poll(early, { message: path }).toEqual(calls)
    for (const text of shown) {
      await page.getByText(text).filter({ visible: true }).first().waitFor()
    }
    expect(await page.getByRole('button', { name: BUY }).count()).toBe(0)
  }
  release()
})

test('the pages of an account load no more JavaScript than their budget, and ask for the session once', async () => {
  const page = await openUncached({ mayComplain: REFUSED })
  const { token } = await personWithPlan()
  for (const path of [...GUEST, ...ACCOUNT]) {
    if (path === ACCOUNT[0]) await signInBrowser(page, token)
    const loaded = await load(page, path)
    const scripts = loaded.filter((one) => isScript(one.path))
    const most = WITH_RULES.includes(path) ? FORM_SCRIPT_BYTES : ACCOUNT_SCRIPT_BYTES
    expect(sum(scripts), path).toBeLessThanOrEqual(most)
    if (ACCOUNT.includes(path) && !WITH_RULES.includes(path)) {
      const names = scripts.map((one) => one.path).join(' ')
      expect(scripts.length, `${path}: ${names}`).toBeLessThanOrEqual(ACCOUNT_SCRIPTS)
    }
    await expectNamedInHead(page, path, scripts)
    const sessions = loaded.filter((one) => one.path === '/api/auth/me')
    expect(sessions, path).toHaveLength(ACCOUNT.includes(path) ? 1 : 0)
  }
})

test('the desk loads no more JavaScript than its budget', async () => {
  const { page } = await openAs((await createOperator()).bearer, '/desk')
  await expectPath(page, '/desk')
  // Its scripts are requested again each time; an answer without a body could not be weighed.
  await page.route('**/*.js', (route) => route.continue())
  const scripts = (await load(page, '/desk')).filter(({ path }) => isScript(path))
  expect(sum(scripts)).toBeLessThanOrEqual(DESK_SCRIPT_BYTES)
})
