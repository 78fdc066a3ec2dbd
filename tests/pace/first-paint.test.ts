import { expect, test } from 'vitest'
import { createMember } from '../harness/member.ts'
import { openPage } from '../harness/open-page.ts'
import { signInBrowser } from '../e2e/support/person.ts'

/** The connection of a phone with a weak signal. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 }
const CPU_SLOWDOWN = 4
const RUNS = 3
const TRIES = 3

interface Shown {
  /** Milliseconds from the start of the navigation. */
  firstPaintMs: number
  /** When the tokens left were on the page; 0 if they never were. */
  tokensMs: number
}

/** Loads a page with nothing cached. */
async function load(path: string, token: string): Promise<Shown> {
  const { page, context } = await openPage({ width: 412, height: 823 })
  if (token !== '') await signInBrowser(page, token)
  await page.addInitScript(() => {
    const look = () => {
      const lead = document.querySelector<HTMLElement>('[data-user="tokens-left"]')
      if (lead === null || lead.offsetHeight === 0) requestAnimationFrame(look)
      else performance.mark('tokens')
    }
    look()
  })
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', LINE)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await page.goto(path, { waitUntil: 'load' })
  if (path === '/dashboard') await page.getByText(/\d tokens left/).waitFor()
  const shown = await page.evaluate(async () => {
    const startOf = (name: string) => performance.getEntriesByName(name)[0]?.startTime ?? 0
    while (startOf('first-contentful-paint') === 0) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    return { firstPaintMs: startOf('first-contentful-paint'), tokensMs: startOf('tokens') }
  })
  await context.close()
  return shown
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** The medians of both pages. It loads them in turns, so that a machine that gets busy slows both down. */
async function compare(path: string, token: string) {
  const landing: number[] = []
  const own: Shown[] = []
  for (let run = 0; run < RUNS; run += 1) {
    landing.push((await load('/', '')).firstPaintMs)
    own.push(await load(path, token))
  }
  const floor = median(landing)
  return {
    firstPaint: median(own.map(({ firstPaintMs }) => firstPaintMs)) / floor,
    tokens: median(own.map(({ tokensMs }) => tokensMs)) / floor,
  }
}

/** Attempts. On a busy machine one comparison may be off, but hardly all of them. */
async function best(path: string, token: string) {
  let found = await compare(path, token)
  for (let attempt = 1; attempt < TRIES; attempt += 1) {
    if (found.firstPaint <= 1.2 && found.tokens <= 1.6) return found
    const next = await compare(path, token)
    found = {
      firstPaint: Math.min(found.firstPaint, next.firstPaint),
      tokens: Math.min(found.tokens, next.tokens),
    }
  }
  return found
}

test('the dashboard: first paint within 1.2×, tokens within 1.6× of the first paint of the landing page', async () => {
  const { bearer } = await createMember({ hasPlan: true })
  const { firstPaint, tokens } = await best('/dashboard', bearer)
  expect(firstPaint).toBeLessThanOrEqual(1.2)
  expect(tokens).toBeGreaterThan(0)
  expect(tokens).toBeLessThanOrEqual(1.6)
}, 120_000)

test.each(['/profile', '/login', '/subscription/success'])(
  '%s: first paint within 1.2× of that of the landing page',
  async (path) => {
    const token = path === '/login' ? '' : (await createMember({ hasPlan: true })).bearer
    const { firstPaint } = await best(path, token)
    expect(firstPaint).toBeLessThanOrEqual(1.2)
  },
  120_000,
)
