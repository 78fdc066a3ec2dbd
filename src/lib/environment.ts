import { type CallEndpoint, createCaller } from '../api/call-endpoint.ts'
import type { LoadCheckout } from '../api/razorpay-checkout.ts'
import { parseJson } from '../contract/parse-json.ts'
import { type KeyValueStorage, type StorageKey, storageOf } from './browser-storage.ts'
import { saveFile } from './save-file.ts'
import { applyTheme, type Theme } from './theme.ts'

const CALL_TIMEOUT_MS = 20_000

declare global {
  interface Window {
    /** The answers to the calls of the first screen by path, which the head of the page sends before any module runs. */
    earlyAnswers?: Partial<Record<string, Promise<Response>>>
  }
}

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

/** Which visitors may see a page: signed-in users, guests, or both. */
export type Guard = 'signed-in' | 'guest' | 'public'

/** The parts of the browser that stores need. */
export interface Environment {
  call: CallEndpoint
  /** How a test loads its own payment window; null loads Razorpay's. */
  loadCheckout: LoadCheckout | null
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
  /** Whether this page was opened by a link or an address, and neither reloaded nor gone back to. */
  isOpenedAnew: () => boolean
  /** Runs whenever the browser shows this page again after another, as it was. Returns a function that ends this. */
  onReturn: (run: () => void) => () => void
  /** The guard of this page. */
  guard: () => Guard
  /** Shows a theme at once and stores it for the next page. */
  applyTheme: (theme: Theme) => void
  /** Downloads a text as a file of a media type. */
  saveFile: (name: string, text: string, type: string) => void
}

function fetchOrTakeEarly(path: string, init: RequestInit): Promise<Response> {
  const early = window.earlyAnswers?.[path]
  if (early === undefined) return window.fetch(path, init)
  window.earlyAnswers = { ...window.earlyAnswers, [path]: undefined }
  // The head of the page sets no timeout on its request, so the caller's ends the waiting.
  const timeout = new Promise<never>((_, reject) => init.signal?.addEventListener('abort', reject))
  return Promise.race([early, timeout])
}

function endAfter(ms: number): AbortSignal {
  const end = new AbortController()
  setTimeout(() => end.abort(), ms)
  return end.signal
}

const storage = storageOf(() => localStorage)

/** Nothing of the browser is touched before it is used, because pages are prerendered. */
const browser: Environment = {
  call: createCaller({
    fetch: fetchOrTakeEarly,
    timeoutMs: CALL_TIMEOUT_MS,
    endAfter,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  }),
  loadCheckout: null,
  userAgent: () => navigator.userAgent,
  storage,
  tabStorage: storageOf(() => sessionStorage),
  clock: {
    now: () => Date.now(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  },
  newId: () => crypto.randomUUID(),
  navigate: (path) => location.assign(path),
  navigateInstead: (path) => location.replace(path),
  replaceSearch: (search) => history.replaceState(history.state, '', location.pathname + search),
  pushSearch: (search) => history.pushState(null, '', location.pathname + search),
  here: () => ({
    origin: location.origin,
    path: location.pathname,
    search: location.search,
    hash: location.hash,
  }),
  isOpenedAnew: () => {
    const [visit] = performance.getEntriesByType('navigation')
    return visit !== undefined && 'type' in visit && visit.type === 'navigate'
  },
  onReturn: (run) => {
    const handle = ({ persisted }: PageTransitionEvent) => {
      if (persisted) run()
    }
    addEventListener('pageshow', handle)
    return () => removeEventListener('pageshow', handle)
  },
  guard: () => {
    const { guard } = document.documentElement.dataset
    return guard === 'signed-in' || guard === 'guest' ? guard : 'public'
  },
  applyTheme: (theme) => applyTheme(theme, storage),
  saveFile,
}

/** The environment of all stores: the browser's, or the one that a test has set up. */
export let environment = browser

const listeners: (() => void)[] = []

/** Runs now and whenever an environment is set up: for what a page has one of, such as its session. */
export function onEnvironment(start: () => void): void {
  listeners.push(start)
  start()
}

/** Gives all stores another environment, and starts what a page has one of anew. Tests call it before they make a store. */
export function setupEnvironment(next: Environment): void {
  environment = next
  for (const start of listeners) start()
}

/** Reads the object or list that a page has stored; undefined when there is none. */
export function readStored<Stored>(storage: KeyValueStorage, key: StorageKey): Stored | undefined {
  const value = parseJson(storage.getItem(key) ?? '')
  return isStored<Stored>(value) ? value : undefined
}

/** The same, and removes it. */
export function takeStored<Stored>(storage: KeyValueStorage, key: StorageKey): Stored | undefined {
  const value = readStored<Stored>(storage, key)
  storage.removeItem(key)
  return value
}

/** The browser keeps it for this site alone, so it is what a page wrote, unless somebody edited it. */
const isStored = <Stored>(value: unknown): value is Stored =>
  typeof value === 'object' && value !== null
