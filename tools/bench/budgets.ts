import { PLANS } from '../../src/contract/catalogue.ts'

// Budgets of the pages' size and speed, on Lighthouse's mobile profile. A budget is about 3 % above a page's size: one more
// link in the footer does not break it, one more library does.

/** The HTML of a page with its styles, in bytes at Brotli level 4. */
export const PAGE_BYTES = 15_700

/** The JavaScript that a page names, with all that it imports, in bytes at Brotli level 4. */
export function scriptBytes(path: string): number {
  if (FORMS.test(path)) return 127_000
  if (path === '/') return 5_400
  if (PRESSED.test(path)) return 4_000
  return ACCOUNT.test(path) ? 97_000 + 200 * PLANS.length : 3_650
}

/** Pages that show a form load zod. */
const FORMS = /^\/(login|register|forgot-password|reset-password|contact|careers|device)/
/** Pages with a button that loads what it does. */
const PRESSED = /^\/(download|screen-sharing)$/
const ACCOUNT = /^\/(dashboard|profile|tokens|receipt|subscription|verify-email|not-me)/

/** Medians over the runs of a page that anybody may see, in milliseconds (CLS has no unit). */
export const mostOf = (path: string) => ({
  fcp: 1_100,
  lcp: path === '/' ? 950 : 1_150,
  tbt: 150,
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

/** The headers and the body of the answers that clients ask for most, in bytes before compression, by endpoint. */
export const ANSWER_BYTES: Record<string, number> = {
  live: 695,
  plans: 735 + 380 * PLANS.length,
  me: 1_375,
  currentSubscription: 880,
  useTokens: 750,
}
