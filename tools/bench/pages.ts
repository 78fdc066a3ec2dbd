import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'
import { findBrowser } from '../../tests/harness/find-browser.ts'
import { startSite } from '../../tests/harness/services.ts'
import { root } from '../launcher/settings.ts'
import { freePort } from '../services/ports.ts'
import { measureAccount } from './account.ts'
import { ACCOUNT_GOALS, mostOf } from './budgets.ts'
import { EDGE_BROTLI, serveCompressed } from './compressed-server.ts'
import { quantile } from './fire.ts'
import { CATEGORIES, loadLighthouse, type Run } from './lighthouse.ts'

const METRICS = ['fcp', 'lcp', 'tbt', 'cls'] as const

const SIGN_IN = ['/login', '/register', '/forgot-password']

/**
 * `npm run bench -- pages --runs=3 / /careers`: the bytes of the named pages or of all, compressed as an edge does,
 * `runs` runs of Lighthouse on each, and the pages of an account on a slow phone. Returns the broken budgets of
 * tools/bench/budgets.ts.
 */
export async function benchPages(args: string[]): Promise<string[]> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { runs: { type: 'string', default: '5' } },
  })
  const isWanted = (path: string) => positionals.length === 0 || positionals.includes(path)
  const paths = [...publicPages(), ...SIGN_IN].filter(isWanted)
  const runs = Number(values.runs)
  const rows: Record<string, object> = {}
  const broken: string[] = []
  await withLighthouse(async ({ audit, browser, ...site }) => {
    for (const path of paths) {
      const done: Run[] = []
      while (done.length < runs) done.push(await audit(path))
      const bytes = bytesOf(path)
      const lowest = CATEGORIES.map((name) => Math.min(...done.map(({ scores }) => scores[name])))
      const median = (name: (typeof METRICS)[number]) =>
        quantile(
          done.map(({ metrics }) => metrics[name]),
          0.5,
        )
      rows[path] = {
        bytes,
        'lowest scores': lowest.join('/'),
        ...Object.fromEntries(METRICS.map((name) => [name, Number(median(name).toFixed(3))])),
      }
      if (lowest.some((score) => score < 100)) {
        const faults = new Set(done.flatMap((run) => run.faults))
        broken.push(`${path} lowest scores ${lowest.join('/')}: ${[...faults].join('; ')}`)
      }
      for (const name of METRICS) {
        const most = mostOf(path)[name]
        if (median(name) > most) broken.push(`${path} ${name} ${median(name)} (at most ${most})`)
      }
    }
    const account = await measureAccount(browser, { ...site, runs, isWanted })
    for (const [path, figures] of Object.entries(account)) {
      const row = `${path}, signed in`
      rows[row] = { bytes: bytesOf(path), ...figures }
      for (const [name, most] of Object.entries(ACCOUNT_GOALS[path] ?? {})) {
        const figure = figures[name] ?? Number.NaN
        if (!(figure <= most)) broken.push(`${row} ${name} ${figure} (at most ${most})`)
      }
    }
  })
  console.table(rows)
  return broken
}

interface Bench {
  audit: (path: string) => Promise<Run>
  browser: Browser
  siteUrl: string
  databaseUrl: string
}

/** Starts the site and a browser for as long as `measure` takes. */
async function withLighthouse(measure: (bench: Bench) => Promise<void>): Promise<void> {
  const chromePort = await freePort()
  const site = await startSite()
  const server = await serveCompressed(site.worker.url)
  const { executablePath, args, env } = await findBrowser()
  const browser = await chromium.launch({
    executablePath,
    env,
    args: [...args, `--remote-debugging-port=${chromePort}`],
  })
  try {
    const audit = await loadLighthouse(chromePort)
    await measure({
      audit: (path) => audit(`${server.url}${path}`),
      browser,
      siteUrl: server.url,
      databaseUrl: site.sqld.url,
    })
  } finally {
    await browser.close()
    server.close()
    await site.stop()
  }
}

/** The paths in the sitemap of the build. */
function publicPages(): string[] {
  const sitemap = readFileSync(join(root, 'dist/client/sitemap.xml'), 'utf8')
  return [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname)
}

function bytesOf(path: string): number {
  const file = path === '/' ? 'index.html' : `${path.slice(1)}.html`
  return brotliCompressSync(readFileSync(join(root, 'dist/client', file)), EDGE_BROTLI).length
}
