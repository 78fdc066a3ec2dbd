import type { CallEndpoint } from '../api/call-endpoint.ts'
import { parseJson } from '../api/call-endpoint.ts'
import type { LoadCheckout } from '../api/razorpay-checkout.ts'
import type { KeyValueStorage, StorageKey } from '../lib/browser-storage.ts'

export interface Clock {
  /** Milliseconds since the epoch. */
  now: () => number
  /** Runs once after `ms` milliseconds; returns a function that cancels it. */
  after: (ms: number, run: () => void) => () => void
}

export interface Here {
  origin: string
  /** Path without query, e.g. `/dashboard`. */
  path: string
  /** Query with its question mark, or ''. */
  search: string
  /** Fragment with its `#`, or ''. Of a mailed link it may hold a secret, so no address of the server may contain it. */
  hash: string
}

/** The parts of the browser that stores need. browser.ts creates it; tests pass their own. */
export interface Environment {
  call: CallEndpoint
  loadCheckout: LoadCheckout
  userAgent: () => string
  /** Shared by all tabs; the browser keeps it after they close. */
  storage: KeyValueStorage
  /** Belongs to this tab alone. */
  tabStorage: KeyValueStorage
  clock: Clock
  newId: () => string
  /** Goes to another page of the site; the old page stays until the new one answers. */
  navigate: (path: string) => void
  /** The same, but the new page replaces this one in the history. */
  navigateInstead: (path: string) => void
  /** Replaces the query of this page without leaving it; '' removes it. */
  replaceSearch: (search: string) => void
  /** The same as a step of the history, to which the user can go back. */
  pushSearch: (search: string) => void
  here: () => Here
}

/** Reads what a page has stored, and removes it; undefined when there is none. */
export function takeStored<Stored>(storage: KeyValueStorage, key: StorageKey): Stored | undefined {
  const text = storage.getItem(key)
  storage.removeItem(key)
  return text === null ? undefined : parseJson(text)
}
