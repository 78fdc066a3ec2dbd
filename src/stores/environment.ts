import type { CallEndpoint } from '../api/call-endpoint.ts'
import type { LoadCheckout } from '../api/razorpay-checkout.ts'

export interface KeyValueStorage {
  getItem: (key: string) => string | null
  setItem: (key: string, value: string) => void
  removeItem: (key: string) => void
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now: () => number
  /** Runs once after `ms` milliseconds; the answer calls it off. */
  after: (ms: number, run: () => void) => () => void
}

export interface Here {
  /** Path without query, e.g. `/dashboard`. */
  path: string
  /** Query with its question mark, or ''. */
  search: string
}

/** All that stores need of the world. Made in browser.ts; tests hand in their own. */
export interface Environment {
  call: CallEndpoint
  loadCheckout: LoadCheckout
  /** Where the payment widget has to send the browser, where it cannot hand its answer to the page; else null. */
  checkoutCallback: () => string | null
  /** Shared by all tabs, survives closing. */
  storage: KeyValueStorage
  /** This tab's own. */
  tabStorage: KeyValueStorage
  clock: Clock
  newId: () => string
  /** Goes to another page of the site; the old page stays until the new one answers. */
  navigate: (path: string) => void
  /** The same, with this page taken out of the history. */
  navigateInstead: (path: string) => void
  /** Replaces the query of this page without leaving it; '' removes it. */
  replaceSearch: (search: string) => void
  here: () => Here
}
