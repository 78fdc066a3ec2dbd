import type { Browser, Page } from 'playwright-core'
import { createUser } from '../../tests/harness/user.ts'
import { quantile } from './fire.ts'

/** A slow phone: the latency in milliseconds, bytes per second, and how many times slower than this machine it computes. */
const PHONE = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_000 }
const SLOWER = 4

/** The pages that signed-in users open most, each with what they do there most. */
const ACTS: Record<string, (page: Page) => Promise<void>> = {
  '/dashboard': (page) => page.getByRole('button', { name: 'Menu' }).click(),
  '/profile': (page) => page.getByRole('link', { name: 'Preferences' }).click(),
  '/tokens': (page) => page.getByRole('button', { name: 'Meeting' }).first().click(),
  '/subscription': (page) => page.getByRole('radio', { name: 'INR (₹)' }).click(),
}

/**
 * Milliseconds until the first paint, the last script, and the last answer with an empty and with a full cache; the longest
 * interaction; bytes and files of the scripts.
 */
const FIGURES = ['fcp', 'script', 'data', 'data warm', 'inp', 'script bytes', 'files'] as const
type Figures = Record<(typeof FIGURES)[number], number>

interface Options {
  /** Of the server that compresses. */
  siteUrl: string
  databaseUrl: string
  runs: number
  isWanted: (path: string) => boolean
}

/** Medians of the visits to each page of an account, by path. */
export async function measureAccount(
  browser: Browser,
  { siteUrl, databaseUrl, runs, isWanted }: Options,
): Promise<Record<string, Record<string, number>>> {
  const user = await createUser({ hasPlan: true, siteUrl, databaseUrl })
  for (const amount of [900, 1_100]) {
    const json = { amount, mode: 'meeting', sessionId: 'bench-session' }
    await user.call('/api/subscription/use-tokens', { json })
  }
  const rows: Record<string, Record<string, number>> = {}
  for (const [path, act] of Object.entries(ACTS)) {
    if (!isWanted(path)) continue
    const visits: Figures[] = []
    while (visits.length < runs) {
      visits.push(await visit(browser, { url: siteUrl + path, bearer: user.bearer, act }))
    }
    const median = (name: keyof Figures) => {
      const figures = visits.map((one) => one[name])
      return Math.round(quantile(figures, 0.5))
    }
    rows[path] = Object.fromEntries(FIGURES.map((name) => [name, median(name)]))
  }
  return rows
}

interface Visit {
  url: string
  bearer: string
  act: (page: Page) => Promise<void>
}

async function visit(browser: Browser, { url, bearer, act }: Visit): Promise<Figures> {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    isMobile: true,
    deviceScaleFactor: 1.75,
  })
  await context.addInitScript((token) => localStorage.setItem('token', token), bearer)
  await context.addInitScript(watchInteractions)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...PHONE })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  const { data, ...cold } = await page.evaluate(readTimes)
  // Clicked once the page is idle.
  await page.waitForTimeout(1_000)
  await act(page)
  // An interaction is reported once its frame has been painted.
  await page.waitForTimeout(1_000)
  const inp = await page.evaluate(() => window.longest ?? 0)
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  const warm = await page.evaluate(readTimes)
  await context.close()
  return { ...cold, data, 'data warm': warm.data, inp }
}

declare global {
  interface Window {
    /** The longest interaction so far, in milliseconds. */
    longest?: number
  }
}

/** Runs in the page. */
function watchInteractions() {
  // Events under 104 ms are reported only on request (`durationThreshold`), which the types do not know yet.
  const options = { type: 'event', buffered: true, durationThreshold: 16 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      // The browser's own events while the page loads, as `pointerover`, belong to no interaction.
      if (!('interactionId' in entry) || entry.interactionId === 0) continue
      window.longest = Math.max(window.longest ?? 0, entry.duration)
    }
  }).observe(options)
}

/** Runs in the page. */
function readTimes() {
  const loads = performance
    .getEntriesByType('resource')
    .filter((entry) => entry instanceof PerformanceResourceTiming)
  const scripts = loads.filter(({ name }) => name.endsWith('.js'))
  const calls = loads.filter(({ name }) => /\/api\/(?!announcement)/.test(name))
  const lastOf = (entries: PerformanceResourceTiming[]) =>
    Math.max(0, ...entries.map(({ responseEnd }) => responseEnd))
  return {
    fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    script: lastOf(scripts),
    data: lastOf(calls),
    'script bytes': scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    files: scripts.length,
  }
}
