import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Page, Request, Response } from 'playwright-core'
import { expect, inject } from 'vitest'
import {
  ACCOUNT_SCRIPT_BYTES,
  ACCOUNT_SCRIPTS,
  DESK_SCRIPT_BYTES,
  FIRST_FLIGHT_BYTES,
  FORM_SCRIPT_BYTES,
  LANDING_SCRIPT_BYTES,
  pageRequests,
} from '../../../tools/bench/budgets.ts'
import { root } from '../../../tools/launcher/settings.ts'
import { openPage, type PageOptions } from '../../harness/open-page.ts'
import { visitor } from '../../harness/visitor.ts'
import { PUBLIC_PATHS } from '../site/pages.ts'
import { REFUSED } from './complaints.ts'
import { signInBrowser } from './person.ts'

/** The forms that only guests see. */
export const GUEST_FORMS = ['/login', '/register', '/forgot-password']

/** Pages whose first screen is a form, which loads zod. */
const WITH_RULES = ['/reset-password/x', '/device']

/** The pages whose forms and dialogs are React, which waits until somebody uses them. */
const WITH_FORMS = ['/subscription', '/careers', '/contact']

/** The JavaScript that a page may load by itself, in bytes at Brotli level 4. */
export function mostScript(path: string): number {
  if (path === '/') return LANDING_SCRIPT_BYTES
  if (path === '/desk') return DESK_SCRIPT_BYTES
  if (PUBLIC_PATHS.includes(path)) return 8_000
  if (GUEST_FORMS.includes(path)) return 15_000
  return WITH_RULES.includes(path) ? FORM_SCRIPT_BYTES : ACCOUNT_SCRIPT_BYTES
}

/** In how many files it may come, on a page for signed-in users. */
export const mostScripts = (path: string) =>
  [...WITH_RULES, '/desk'].includes(path) ? Infinity : ACCOUNT_SCRIPTS

/** The compression of an edge on the fly. */
export const compressed = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length

const IMPORT = /(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+\.js)["'`]/g

/** The scripts that a text of a built page names, with all that they import. */
export function scriptsNamed(text: string): Loaded[] {
  const paths = new Set(text.match(/\/_astro\/[\w.-]+\.js/g))
  const scripts: Loaded[] = []
  // A Set visits the entries that are added to it during the loop.
  for (const path of paths) {
    const script = readFileSync(join(root, 'dist/client', path))
    scripts.push({ path, bytes: compressed(script) })
    for (const [, name = ''] of script.toString().matchAll(IMPORT)) paths.add(`/_astro/${name}`)
  }
  return scripts
}

const IS_TEXT = /html|javascript|css|json|svg|xml/
export const isFilm = (path: string) => /\.(webm|mp4)$/.test(path)
export const isScript = (path: string) => path.endsWith('.js')
export const isReact = (path: string) => /\/_astro\/(?:client|react)\./.test(path)

export interface Loaded {
  path: string
  /** Its size on the wire; with its headers if it is a page. */
  bytes: number
}

export const sum = (loaded: readonly Loaded[]) =>
  loaded.reduce((total, { bytes }) => total + bytes, 0)

/** A window for several pages, which keeps no file from one to the next: with a route nothing is cached. */
async function openUncached(options: PageOptions) {
  const { page } = await openPage(options)
  await page.route('**/*.js', (route) => route.continue())
  return page
}

/** What a page loads until its late script has run and it requests nothing more. */
export async function load(page: Page, path: string): Promise<Loaded[]> {
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

/** Public pages stay within their budgets of bytes and requests, and hydrate their forms when somebody uses them. */
export async function expectPublicPages(paths: readonly string[]): Promise<void> {
  const page = await openUncached({ reducedMotion: 'no-preference' })
  for (const path of paths) {
    const loaded = await load(page, path)
    await expectFirstFlight(page, path, loaded)
    await expectLateScripts(page)
    const scripts = loaded.filter((one) => isScript(one.path))
    expect(sum(scripts), path).toBeLessThanOrEqual(mostScript(path))
    if (!WITH_FORMS.includes(path)) continue
    // The one call that a reader's page makes (docs/decisions/0133-switches-are-rows-that-cost-no-extra-round-trip.md).
    const calls = loaded.map((one) => one.path).filter((one) => one.startsWith('/api/'))
    expect(calls).toEqual(['/api/announcement'])
    const react = page.waitForRequest((request) => isReact(new URL(request.url()).pathname))
    await page.locator('astro-island').first().dispatchEvent('pointerover')
    await react
  }
}

/** A public page comes with its styles in the first flight, and asks for few files, none of them React's. */
export async function expectFirstFlight(page: Page, path: string, loaded: readonly Loaded[]) {
  const html = loaded.find((one) => one.path === path)
  expect(html?.bytes, path).toBeLessThanOrEqual(FIRST_FLIGHT_BYTES)
  expect(await page.locator('link[rel=stylesheet]').count(), path).toBe(0)
  // The browser asks for a film in as many pieces as it likes.
  const asked = loaded.map((one) => one.path).filter((one) => !isFilm(one))
  expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(pageRequests(path))
  expect(asked.filter(isReact), path).toEqual([])
}

/** docs/decisions/0022-pages-that-are-read-load-their-scripts-late.md */
export async function expectLateScripts(page: Page) {
  const { waited, poster } = await page.evaluate(lateScripts)
  // A busy machine is later, never earlier. Times are rounded.
  expect(waited).toBeGreaterThanOrEqual(299)
  return { poster }
}

/** Forms of guests load little script, after their paint, until somebody uses them. */
export async function expectGuestForms(paths: readonly string[]): Promise<void> {
  const page = await openUncached({})
  for (const path of paths) {
    const loaded = await load(page, path)
    const scripts = loaded.filter((one) => isScript(one.path))
    expect(sum(scripts), path).toBeLessThanOrEqual(mostScript(path))
    expect(loaded.filter((one) => one.path === '/api/auth/me')).toEqual([])
    await expectLateScripts(page)
    const react = page.waitForRequest((request) => isReact(new URL(request.url()).pathname))
    await page.getByLabel('Email').focus()
    await react
  }
}

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

/**
 * Pages of guests or of an account load no more JavaScript than they may, by themselves what their HTML names and the tab in
 * their address, and ask for the session once.
 */
export async function expectAppPages(paths: readonly string[], bearer = ''): Promise<void> {
  const page = await openUncached({ mayComplain: REFUSED })
  const isUser = bearer !== ''
  if (isUser) await signInBrowser(page, bearer)
  for (const path of paths) {
    const loaded = await load(page, path)
    const [name = ''] = path.split('?')
    const scripts = loaded.filter((one) => isScript(one.path))
    const most = name === '/subscription' ? ACCOUNT_SCRIPT_BYTES : mostScript(name)
    expect(sum(scripts), path).toBeLessThanOrEqual(most)
    const names = scripts.map((one) => one.path)
    if (isUser) expect(names.length, names.join(' ')).toBeLessThanOrEqual(mostScripts(name))
    const { body } = await visitor().call(path)
    const named = scriptsNamed(String(body)).map((one) => one.path)
    // Where everybody may be, the bar starts late.
    const isAccounts = isUser && name !== '/subscription'
    if (isAccounts && !path.includes('tab='))
      expect(names.filter((one) => !named.includes(one))).toEqual([])
    const sessions = loaded.filter((one) => one.path === '/api/auth/me')
    expect(sessions, path).toHaveLength(isUser ? 1 : 0)
  }
}
