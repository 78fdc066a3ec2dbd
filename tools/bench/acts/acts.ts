import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findBrowser } from '../../../tests/harness/find-browser.ts'
import { createMember, type Member } from '../../../tests/harness/member.ts'
import { type Site, startSite } from '../../../tests/harness/services.ts'
import { newAddress } from '../../../tests/harness/visitor.ts'
import { LaunchError } from '../../launcher/bootstrap/launch-error.mjs'
import { INP_MAX_MS } from '../budgets.ts'
import { median } from '../figures.ts'
import type { Findings } from '../findings.ts'
import { printRows } from '../table.ts'
import { type Interaction, watchInteractions } from './interactions.ts'
import { ACTS, type Act } from './list.ts'

const SLOWER = 4
/** A phone. */
const SCREEN = { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true }
/** The browser tells of an event once the frame after it has been shown. */
const SETTLE_MS = 500
const PATIENCE_MS = 30_000

/** One act, over all runs. The longest interaction of each run, in milliseconds. */
interface Row {
  inp: number[]
  median: number
  worst: number
  /** The event that was the longest of all, e.g. "keydown". */
  event: string
}

/**
 * `npm run bench -- acts --runs=5 menu`: INP of what users do most, on a phone whose processor is four times slower than this
 * machine's. What is broken is each act whose worst run takes longer than INP_MAX_MS.
 */
export async function benchActs(args: string[]): Promise<Findings> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { runs: { type: 'string', default: '5' } },
  })
  const runs = Number(values.runs)
  const acts = Object.entries(ACTS).filter(
    ([name]) => positionals.length === 0 || positionals.includes(name),
  )
  const rows = await measure(acts, runs)
  print(rows)
  return {
    figures: { runs, slower: SLOWER, rows },
    lines: [
      `INP at ${SLOWER}x slower CPU, median (worst) of ${runs} runs: ${Object.entries(rows)
        .map(([name, row]) => `${name} ${row.median} (${row.worst})`)
        .join(', ')} ms`,
    ],
    broken: Object.entries(rows)
      .filter(([, { worst }]) => worst > INP_MAX_MS)
      .map(
        ([name, { worst }]) =>
          `${name} took ${worst} ms until the next frame (at most ${INP_MAX_MS})`,
      ),
  }
}

async function measure(acts: [string, Act][], runs: number): Promise<Record<string, Row>> {
  const site = await startSite()
  const { executablePath, args, env } = await findBrowser()
  const browser = await chromium.launch({ executablePath, env, args })
  try {
    const rows: Record<string, Row> = {}
    for (const [name, act] of acts) {
      const longest: Interaction[] = []
      for (let run = 0; run < runs; run += 1)
        longest.push(await perform(act, name, { site, browser }))
      rows[name] = summary(longest)
    }
    return rows
  } finally {
    await browser.close()
    await site.stop()
  }
}

/** Does it once, as somebody new in a window of their own, and returns the longest interaction. */
async function perform(
  act: Act,
  name: string,
  { site, browser }: { site: Site; browser: Browser },
): Promise<Interaction> {
  const context = await browser.newContext({
    ...SCREEN,
    baseURL: site.worker.url,
    extraHTTPHeaders: { 'cf-connecting-ip': newAddress() },
    locale: 'en-US',
  })
  context.setDefaultTimeout(PATIENCE_MS)
  try {
    const person = await createMember({ siteUrl: site.worker.url, databaseUrl: site.sqld.url })
    if (act.isSignedIn === true) await giveToken(context, person)
    const seen = await watchInteractions(context)
    const page = await context.newPage()
    await slowDown(page)
    await page.goto(act.path, { waitUntil: 'networkidle' })
    await act.perform(page, person)
    await pause(SETTLE_MS)
    const longest = seen().toSorted((one, other) => other.ms - one.ms)[0]
    if (longest === undefined) throw new LaunchError(`${name}: the browser saw no interaction`)
    return longest
  } finally {
    await context.close()
  }
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
}

async function giveToken(context: BrowserContext, { bearer }: Member): Promise<void> {
  await context.addInitScript((token) => {
    localStorage.setItem('token', token)
  }, bearer)
}

function summary(longest: readonly Interaction[]): Row {
  const inp = longest.map(({ ms }) => ms)
  const worst = Math.max(...inp)
  const event = longest.find(({ ms }) => ms === worst)?.event ?? ''
  return { inp, median: median(inp), worst, event }
}

function print(rows: Record<string, Row>): void {
  console.log('')
  printRows(
    ['act', 'median ms', 'worst ms', 'at most', 'event'],
    Object.entries(rows).map(([name, row]) => [
      name,
      row.median.toFixed(0),
      row.worst.toFixed(0),
      String(INP_MAX_MS),
      row.event,
    ]),
  )
}
