import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { findBrowser } from '../../../tests/harness/find-browser.ts'
import { startSite } from '../../../tests/harness/services.ts'
import { root } from '../../launcher/settings.ts'
import { freePort } from '../../services/ports.ts'
import { LANDING_MEDIANS, pageBytes } from '../budgets.ts'
import { median } from '../figures.ts'
import type { Findings } from '../findings.ts'
import { installPinned } from '../pinned.ts'
import { printRows } from '../table.ts'
import { EDGE_BROTLI, serveCompressed } from './compressed-server.ts'
import { CATEGORIES, loadLighthouse, type Run } from './lighthouse.ts'

/** What was measured of one page. Times in milliseconds. */
interface Page {
  /** HTML and styles, compressed as an edge does. */
  bytes: number
  /** The lowest score of each category, in the order of CATEGORIES. */
  lowest: number[]
  /** Medians, but for the worst CLS. */
  metrics: Record<keyof typeof LANDING_MEDIANS, number>
  /** Titles of the audits that lowered a score. */
  faults: string[]
}

/**
 * `npm run bench -- pages --runs=3 / /careers`: the bytes of the built pages, and Lighthouse (mobile) on each so many
 * times; all public pages when none is named. What is broken is each budget of tools/bench/budgets.ts.
 */
export async function benchPages(args: string[]): Promise<Findings> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { runs: { type: 'string', default: '10' } },
  })
  const runs = Number(values.runs)
  const paths = positionals.length > 0 ? positionals : publicPages()
  const pages = await auditPages(paths, runs)
  print(pages)
  const all = Object.values(pages)
  const most = (of: (page: Page) => number) => Math.max(...all.map(of))
  const lowest = Math.min(...all.flatMap((page) => page.lowest))
  const worst = {
    fcp: most(({ metrics }) => metrics.fcp),
    lcp: most(({ metrics }) => metrics.lcp),
    tbt: most(({ metrics }) => metrics.tbt),
    cls: most(({ metrics }) => metrics.cls),
  }
  return {
    figures: { runs, pages },
    lines: [
      `${all.length} pages, ${runs} runs each: lowest score ${lowest}; at most ${most(({ bytes }) => bytes)} bytes, FCP ${worst.fcp.toFixed(0)}, LCP ${worst.lcp.toFixed(0)}, TBT ${worst.tbt.toFixed(0)} ms, CLS ${worst.cls.toFixed(3)}`,
    ],
    broken: Object.entries(pages).flatMap(brokenBy),
  }
}

async function auditPages(paths: readonly string[], runs: number): Promise<Record<string, Page>> {
  const lighthouse = await installPinned('lighthouse')
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
    const pages: Record<string, Page> = {}
    for (const path of paths) {
      const seen: Run[] = []
      for (let run = 0; run < runs; run += 1) seen.push(await audit(`${server.url}${path}`))
      pages[path] = summary(bytesOf(path), seen)
    }
    return pages
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
  const html = readFileSync(join(root, 'dist/client', file))
  return brotliCompressSync(html, EDGE_BROTLI).length
}

function summary(bytes: number, runs: readonly Run[]): Page {
  return {
    bytes,
    lowest: CATEGORIES.map((name) => Math.min(...runs.map(({ scores }) => scores[name]))),
    metrics: {
      fcp: median(runs.map(({ metrics }) => metrics.fcp)),
      lcp: median(runs.map(({ metrics }) => metrics.lcp)),
      tbt: median(runs.map(({ metrics }) => metrics.tbt)),
      cls: Math.max(...runs.map(({ metrics }) => metrics.cls)),
    },
    faults: [...new Set(runs.flatMap(({ faults }) => faults))],
  }
}

function print(pages: Record<string, Page>): void {
  console.log('')
  printRows(
    ['page', 'bytes', 'at most', 'lowest scores', 'FCP ms', 'LCP ms', 'TBT ms', 'worst CLS'],
    Object.entries(pages).map(([path, { bytes, lowest, metrics }]) => [
      path,
      String(bytes),
      String(pageBytes(path)),
      lowest.join('/'),
      metrics.fcp.toFixed(0),
      metrics.lcp.toFixed(0),
      metrics.tbt.toFixed(0),
      metrics.cls.toFixed(3),
    ]),
  )
}

function brokenBy([path, { bytes, lowest, metrics, faults }]: [string, Page]): string[] {
  const names = ['fcp', 'lcp', 'tbt', 'cls'] as const
  const over = names.filter((name) => path === '/' && metrics[name] > LANDING_MEDIANS[name])
  return [
    ...(bytes > pageBytes(path) ? [`${path} weighs ${bytes} bytes`] : []),
    ...(lowest.some((score) => score < 100)
      ? [`${path} lowest scores ${lowest.join('/')}: ${faults.join('; ')}`]
      : []),
    ...over.map(
      (name) => `/ ${name} ${metrics[name].toFixed(3)} (at most ${LANDING_MEDIANS[name]})`,
    ),
  ]
}
