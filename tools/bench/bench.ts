import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { findBrowser } from '../../tests/harness/find-browser.ts'
import { startSite } from '../../tests/harness/services.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { ensureBuilt } from '../launcher/build.ts'
import { root } from '../launcher/settings.ts'
import { freePort } from '../services/ports.ts'
import { LANDING_MEDIANS, pageBytes } from './budgets.ts'
import { EDGE_BROTLI, serveCompressed } from './compressed-server.ts'
import { benchCrowd } from './crowd/crowd.ts'
import { benchEndpoints } from './endpoints.ts'
import { benchFaults } from './faults/faults.ts'
import { benchGrowth } from './growth.ts'
import { CATEGORIES, installLighthouse, loadLighthouse, type Run } from './lighthouse.ts'

/**
 * `npm run bench -- --runs=3 / /careers`: Lighthouse on the built pages. `npm run bench -- faults`: the stack under faults.
 * `npm run bench -- load`: a crowd of users. `npm run bench -- seed 10000`: calls and jobs beside so many users. `npm run bench -- endpoints`: calls beside bare ones. Throws a LaunchError when a budget is broken.
 */
export async function bench(args: string[]): Promise<void> {
  if (args[0] === 'load') return benchCrowd(args.slice(1))
  if (args[0] === 'faults') return benchFaults(args.slice(1))
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      runs: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '5' },
    },
  })
  await ensureBuilt(root)
  if (positionals[0] === 'endpoints') {
    return benchEndpoints(Number(values.rounds), positionals.slice(1))
  }
  if (positionals[0] === 'seed') return benchGrowth(Number(positionals[1] ?? 10_000))
  const pages = positionals.length > 0 ? positionals : publicPages()
  const faults = pages.flatMap((page) => checkBytes(page))
  const lighthouse = await installLighthouse(root)
  const chromePort = await freePort()
  const site = await startSite()
  const server = await serveCompressed(site.worker.url)
  const { executablePath, args: options, env } = await findBrowser()
  const browser = await chromium.launch({
    executablePath,
    env,
    args: [...options, `--remote-debugging-port=${chromePort}`],
  })
  try {
    const audit = await loadLighthouse(lighthouse, chromePort)
    for (const page of pages) {
      const runs: Run[] = []
      for (let run = 0; run < Number(values.runs); run += 1) {
        runs.push(await audit(`${server.url}${page}`))
      }
      faults.push(...report(page, runs))
    }
  } finally {
    await browser.close()
    server.close()
    await site.stop()
  }
  if (faults.length > 0) throw new LaunchError(`\nBudgets broken:\n  ${faults.join('\n  ')}`)
  console.log('\nEvery budget holds.')
}

/** The paths in the sitemap of the build. */
function publicPages(): string[] {
  const sitemap = readFileSync(join(root, 'dist/client/sitemap.xml'), 'utf8')
  return [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname)
}

function checkBytes(page: string): string[] {
  const file = page === '/' ? 'index.html' : `${page.slice(1)}.html`
  const html = readFileSync(join(root, 'dist/client', file))
  const bytes = brotliCompressSync(html, EDGE_BROTLI).length
  const most = pageBytes(page)
  console.log(`${page.padEnd(16)} HTML and CSS ${bytes} bytes at Brotli 4 (at most ${most})`)
  return bytes > most ? [`${page} weighs ${bytes} bytes`] : []
}

function report(page: string, runs: readonly Run[]): string[] {
  const lowest = CATEGORIES.map((name) => Math.min(...runs.map(({ scores }) => scores[name])))
  const medians = {
    fcp: median(runs.map(({ metrics }) => metrics.fcp)),
    lcp: median(runs.map(({ metrics }) => metrics.lcp)),
    tbt: median(runs.map(({ metrics }) => metrics.tbt)),
    cls: Math.max(...runs.map(({ metrics }) => metrics.cls)),
  }
  const { fcp, lcp, tbt, cls } = medians
  console.log(
    `${page.padEnd(16)} lowest ${lowest.join('/')}  FCP ${fcp.toFixed(0)}  LCP ${lcp.toFixed(0)}  TBT ${tbt.toFixed(0)}  worst CLS ${cls.toFixed(3)}`,
  )
  const titles = [...new Set(runs.flatMap((run) => run.faults))]
  const faults = lowest.some((score) => score < 100)
    ? [`${page} lowest scores ${lowest.join('/')}: ${titles.join('; ')}`]
    : []
  return page === '/' ? [...faults, ...overLimits(medians)] : faults
}

function overLimits(medians: Record<keyof typeof LANDING_MEDIANS, number>): string[] {
  const names = ['fcp', 'lcp', 'tbt', 'cls'] as const
  return names
    .filter((name) => medians[name] > LANDING_MEDIANS[name])
    .map((name) => `/ ${name} ${medians[name].toFixed(3)} (at most ${LANDING_MEDIANS[name]})`)
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}
