import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'

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

/** Loads Lighthouse from the folder it was installed into, and returns a function that audits a page (mobile). */
export async function loadLighthouse(folder: string, chromePort: number) {
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
