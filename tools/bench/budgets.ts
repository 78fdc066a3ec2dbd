/** What a page may weigh and how soon it must show, on Lighthouse's mobile profile. */

/** Every public page: 100 in every category, in every run. */
export const PUBLIC_PAGES = [
  '/',
  '/subscription',
  '/download',
  '/careers',
  '/contact',
  '/privacy',
  '/terms',
  '/refunds',
  '/security',
  '/changelog',
] as const

/** Medians over the runs of the landing page, in milliseconds (CLS has no unit). */
export const LANDING_MEDIANS = { fcp: 760, lcp: 1_060, tbt: 0, cls: 0 } as const

/** The landing page's HTML with all its CSS, in bytes at Brotli level 4: one TCP flight. */
export const LANDING_HTML_BYTES = 11_500
