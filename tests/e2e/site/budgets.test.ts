import { brotliCompressSync, constants } from 'node:zlib'
import type { Page, Response } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { createMember } from '../../harness/member.ts'
import { openPage } from '../../harness/open-page.ts'
import { newVisitor } from '../../harness/visitor.ts'
import { LANDING_SCRIPT_BYTES, pageBytes, pageRequests } from '../../../tools/bench/budgets.ts'
import { signInBrowser } from '../support/person.ts'
import { PUBLIC_PATHS } from './pages.ts'

/** The compression of an edge on the fly. */
const compressed = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length

const IS_TEXT = /html|javascript|css|json|svg|xml/
const IS_FILM = /\.(webm|mp4)$/

function watch(page: Page) {
  const seen: { path: string; type: string; size: Promise<number> }[] = []
  page.on('response', (response) => {
    const { protocol, pathname } = new URL(response.url())
    if (!protocol.startsWith('http')) return
    const type = response.headers()['content-type'] ?? ''
    seen.push({ path: pathname, type, size: sizeOf(response, type) })
  })
  return seen
}

async function sizeOf(response: Response, type: string) {
  const body = await response.body().catch(() => Buffer.alloc(0))
  return IS_TEXT.test(type) ? compressed(body) : body.length
}

async function sum(entries: { size: Promise<number> }[]) {
  const sizes = await Promise.all(entries.map(({ size }) => size))
  return sizes.reduce((total, size) => total + size, 0)
}

test.each(PUBLIC_PATHS)(
  '%s: HTML and styles keep to their bytes, and no other style',
  async (path) => {
    const html = String((await newVisitor(inject('siteUrl')).call(path)).body)
    expect(compressed(Buffer.from(html))).toBeLessThanOrEqual(pageBytes(path))
    expect(html).not.toMatch(/<link[^>]+rel="stylesheet"/)
  },
)

test('landing: nothing blocks', async () => {
  const html = String((await newVisitor(inject('siteUrl')).call('/')).body)
  expect(html).not.toMatch(/<script[^>]+src=/)
})

test('landing: 6 requests and 60 KB before the first input, its script and the film aside', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference', width: 412, height: 823 })
  const seen = watch(page)
  await page.goto('/', { waitUntil: 'networkidle' })
  const isLate = (path: string) => path.startsWith('/_astro/') || IS_FILM.test(path)
  const page1 = seen.filter(({ path }) => !isLate(path))
  expect(page1.length, page1.map(({ path }) => path).join(' ')).toBeLessThanOrEqual(6)
  expect(await sum(page1)).toBeLessThanOrEqual(60_000)
  expect(seen.filter(({ path }) => path.endsWith('.avif'))).toHaveLength(1)
})

test('landing: its script comes after the largest paint and keeps to its bytes, signed in too', async () => {
  const { page } = await openPage({ reducedMotion: 'no-preference', width: 412, height: 823 })
  await signInBrowser(page, (await createMember()).bearer)
  const seen = watch(page)
  await page.goto('/', { waitUntil: 'networkidle' })
  const scripts = seen.filter(({ path }) => path.endsWith('.js'))
  expect(await sum(scripts)).toBeLessThanOrEqual(LANDING_SCRIPT_BYTES)
  const { largestPaintMs, firstScriptMs } = await page.evaluate(async () => {
    const largest = await new Promise<number>((resolve) => {
      new PerformanceObserver((list) => {
        resolve(list.getEntries().at(-1)?.startTime ?? 0)
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    })
    const loads = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
    return {
      largestPaintMs: largest,
      firstScriptMs: Math.min(...loads.map(({ startTime }) => startTime)),
    }
  })
  expect(firstScriptMs).toBeGreaterThan(largestPaintMs)
})

test('landing: the largest paint is the poster, and the layout never shifts', async () => {
  for (const width of [412, 1280]) {
    const { page, context } = await openPage({ reducedMotion: 'no-preference', width, height: 823 })
    await page.goto('/', { waitUntil: 'networkidle' })
    const { largest, shifts } = await page.evaluate(async () => {
      const entries = await new Promise<PerformanceEntryList>((resolve) => {
        new PerformanceObserver((list) => {
          resolve(list.getEntries())
        }).observe({ type: 'largest-contentful-paint', buffered: true })
      })
      const moved = await new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          resolve(list.getEntries().length)
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(resolve, 500, 0)
      })
      const last = entries.at(-1)
      return { largest: last !== undefined && 'url' in last ? String(last.url) : '', shifts: moved }
    })
    expect(largest, `at ${width}`).toContain('/clips/ai-interview-assistant')
    expect(shifts, `at ${width}`).toBe(0)
    await context.close()
  }
})

test('pages without a form or a dialog carry at most 8 KB of script', async () => {
  const withForms = ['/subscription', '/careers', '/contact']
  for (const path of PUBLIC_PATHS.filter((path) => !withForms.includes(path))) {
    const { page, context } = await openPage({ reducedMotion: 'no-preference' })
    const seen = watch(page)
    await page.goto(path, { waitUntil: 'networkidle' })
    const scripts = seen.filter((entry) => entry.path.endsWith('.js'))
    expect(await sum(scripts), path).toBeLessThanOrEqual(8_000)
    await context.close()
  }
})

test.each(PUBLIC_PATHS)('%s asks for no more than its budget', async (path) => {
  const { page } = await openPage({ reducedMotion: 'no-preference' })
  const seen = watch(page)
  await page.goto(path, { waitUntil: 'networkidle' })
  // The browser asks for a film in as many pieces as it likes.
  const asked = seen.map((entry) => entry.path).filter((address) => !IS_FILM.test(address))
  expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(pageRequests(path))
})
