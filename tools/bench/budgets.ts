/** What a page may weigh and how soon it must show, on Lighthouse's mobile profile. */

/**
 * Every public page: 100 in every category, in every run, and HTML with all its styles of at most so many bytes at
 * Brotli level 4. A page of 13.6 KB fits the first flight of a connection together with its headers.
 */
export const PAGE_BYTES: Readonly<Record<string, number>> = {
  '/': 11_500,
  '/subscription': 13_300,
  '/download': 8_800,
  '/careers': 13_600,
  '/contact': 10_900,
  '/privacy': 10_500,
  '/terms': 9_200,
  '/refunds': 8_500,
  '/security': 9_000,
  '/changelog': 8_100,
}

/** Medians over the runs of the landing page, in milliseconds (CLS has no unit). */
export const LANDING_MEDIANS = { fcp: 760, lcp: 1_060, tbt: 0, cls: 0 } as const
