import { PLANS } from '../../src/contract/catalogue.ts'

// Budgets of the pages' size and speed, on Lighthouse's mobile profile. A budget is about 3 % above a page's size: one more
// link in the footer does not break it, one more library does.

/**
 * What a server sends before it waits for the first acknowledgement: ten packets of 1,460 bytes (RFC 6928). A public page
 * with its styles at Brotli level 4 and its headers fits, so nobody waits another round trip for the rest. 150 bytes are left
 * for the headers that an edge adds, such as `date` and `connection`.
 */
export const FIRST_FLIGHT_BYTES = 14_600 - 150

/** Medians over the runs of a page that anybody may see, in milliseconds (CLS has no unit). */
export const mostOf = (path: string) => ({
  fcp: 760,
  lcp: path === '/' ? 910 : 850,
  tbt: 0,
  cls: 0,
})

/** Medians over the visits to a page of an account on a slow phone, in milliseconds (tools/bench/account.ts). */
export const ACCOUNT_GOALS: Record<string, Record<string, number>> = {
  '/dashboard': { data: 1_500, 'data warm': 800, inp: 80 },
  '/profile': { script: 1_400, inp: 80 },
  '/tokens': { data: 1_500, 'data warm': 800, inp: 80 },
  '/subscription': { data: 1_600, inp: 80 },
}

/** The code that an isolate reads before its first answer, in bytes after gzip (tests/api/worker-size.test.ts). */
export const WORKER_START_BYTES = 150_000

/** The JavaScript that a page of the account may load, the catalogue with it, in bytes at Brotli level 4. */
export const ACCOUNT_SCRIPT_BYTES = 87_800 + 200 * PLANS.length

/** The most files in which it comes. A page whose first screen is a form loads more, with zod, and is not held to it. */
export const ACCOUNT_SCRIPTS = 8

/** The same of a page that is a form, with zod. */
export const FORM_SCRIPT_BYTES = 122_500

/** The same of the desk, which only operators open. */
export const DESK_SCRIPT_BYTES = 131_500

/** The same of the landing page with all that its script imports, where it loads after the largest paint. */
export const LANDING_SCRIPT_BYTES = 4_560

/** The files and calls that a public page requests before anybody clicks anything, on a desktop, without its films. */
export function pageRequests(path: string): number {
  return REQUESTS[path] ?? 6
}

/** The landing page and the jobs have scripts of their own. */
const REQUESTS: Record<string, number> = { '/': 9, '/careers': 7 }

/** The headers and the body of the answers that clients ask for most, in bytes before compression, by endpoint. */
export const ANSWER_BYTES: Record<string, number> = {
  live: 695,
  plans: 735 + 380 * PLANS.length,
  me: 1_375,
  currentSubscription: 880,
  useTokens: 750,
}
