import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { findBrowser } from '../../tests/harness/find-browser.ts'
import { startSite } from '../../tests/harness/services.ts'
import { root } from '../launcher/settings.ts'
import { freePort } from '../services/ports.ts'
import { LANDING_MEDIANS, PAGE_BYTES } from './budgets.ts'
import { EDGE_BROTLI, serveCompressed } from './compressed-server.ts'
import { quantile } from './fire.ts'
import { CATEGORIES, loadLighthouse, type Run } from './lighthouse.ts'

const METRICS = ['fcp', 'lcp', 'tbt', 'cls'] as const

/**
 * `npm run bench -- pages --runs=3 / /careers`: the bytes of the built pages, compressed as an edge does, and Lighthouse on
 * each so many times; all public pages when none is named. Returns what breaks tools/bench/budgets.ts.
 */
export async function benchPages(args: string[]): Promise<string[]> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { runs: { type: 'string', default: '5' } },
  })
  const paths = positionals.length > 0 ? positionals : publicPages()
  const rows: Record<string, object> = {}
  const broken: string[] = []
  await withLighthouse(async (audit) => {
    for (const path of paths) {
      const runs: Run[] = []
      while (runs.length < Number(values.runs)) runs.push(await audit(path))
      const bytes = bytesOf(path)
      const lowest = CATEGORIES.map((name) => Math.min(...runs.map(({ scores }) => scores[name])))
      const median = (name: (typeof METRICS)[number]) =>
        quantile(
          runs.map(({ metrics }) => metrics[name]),
          0.5,
        )
      rows[path] = {
        bytes,
        'at most': PAGE_BYTES,
        'lowest scores': lowest.join('/'),
        ...Object.fromEntries(METRICS.map((name) => [name, Number(median(name).toFixed(3))])),
      }
      if (bytes > PAGE_BYTES) broken.push(`${path} weighs ${bytes} bytes`)
      if (lowest.some((score) => score < 100)) {
        const faults = new Set(runs.flatMap((run) => run.faults))
        broken.push(`${path} lowest scores ${lowest.join('/')}: ${[...faults].join('; ')}`)
      }
      for (const name of path === '/' ? METRICS : []) {
        const most = LANDING_MEDIANS[name]
        if (median(name) > most) broken.push(`/ ${name} ${median(name)} (at most ${most})`)
      }
    }
  })
  console.table(rows)
  return broken
}

/** Starts the site and a browser for as long as `measure` takes. */
async function withLighthouse(
  measure: (audit: (path: string) => Promise<Run>) => Promise<void>,
): Promise<void> {
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
    await measure((path) => audit(`${server.url}${path}`))
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
