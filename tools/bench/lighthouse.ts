import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { runNpm } from '../launcher/bootstrap/packages.mjs'
import { root } from '../launcher/settings.ts'

/** The fields of a Lighthouse result that we judge. */
const Result = z.object({
  lhr: z.object({
    categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
    audits: z.record(
      z.string(),
      z.object({
        title: z.string(),
        score: z.number().nullable(),
        scoreDisplayMode: z.string(),
        numericValue: z.number().optional(),
      }),
    ),
  }),
})

export const METRICS = {
  fcp: 'first-contentful-paint',
  lcp: 'largest-contentful-paint',
  tbt: 'total-blocking-time',
  cls: 'cumulative-layout-shift',
} as const

export const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const

export interface Run {
  scores: Record<(typeof CATEGORIES)[number], number>
  metrics: Record<keyof typeof METRICS, number>
  /** Titles of the audits that lower a score. */
  faults: string[]
}

const Module = z.object({
  default: z.custom<(url: string, flags: object) => Promise<unknown>>(
    (value) => typeof value === 'function',
  ),
})

/** Returns a function that audits a page with Lighthouse's mobile profile. Throws a LaunchError when it cannot be downloaded. */
export async function loadLighthouse(chromePort: number) {
  const folder = await installLighthouse()
  const entry = createRequire(join(folder, 'package.json')).resolve('lighthouse')
  const { default: lighthouse } = Module.parse(await import(pathToFileURL(entry).href))
  return async (url: string): Promise<Run> =>
    judge(
      await lighthouse(url, {
        port: chromePort,
        logLevel: 'error',
        onlyCategories: [...CATEGORIES],
      }),
    )
}

/** Installs what its lockfile says into .tools/ and returns the folder: only this command needs it, and it is large. */
async function installLighthouse(): Promise<string> {
  const pinned = join(import.meta.dirname, 'lighthouse')
  const lock = readFileSync(join(pinned, 'package-lock.json'))
  const mark = createHash('sha256').update(lock).digest('hex').slice(0, 8)
  const folder = join(root, '.tools', `lighthouse-${mark}`)
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return folder
  console.log('Fetching Lighthouse into .tools/ (once) …')
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) {
    copyFileSync(join(pinned, file), join(folder, file))
  }
  await runNpm(['ci', '--ignore-scripts'], { cwd: folder, what: 'Lighthouse' })
  return folder
}

function judge(answer: unknown): Run {
  const { categories, audits } = Result.parse(answer).lhr
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  const metric = (id: string) => audits[id]?.numericValue ?? Number.NaN
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    },
    metrics: {
      fcp: metric(METRICS.fcp),
      lcp: metric(METRICS.lcp),
      tbt: metric(METRICS.tbt),
      cls: metric(METRICS.cls),
    },
    faults: Object.values(audits)
      .filter(
        ({ score: points, scoreDisplayMode }) => scoreDisplayMode === 'binary' && points === 0,
      )
      .map(({ title }) => title),
  }
}
