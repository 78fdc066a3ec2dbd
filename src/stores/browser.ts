/** The only file in which stores use the browser. Importing it has no effect, because pages are prerendered. */
import { createCaller } from '../api/call-endpoint.ts'
import { storageOf } from '../lib/browser-storage.ts'
import type { Environment } from './environment.ts'
import type { Guard, StoreDeps } from './session.ts'
import { createSession } from './session.ts'
import { createToasts } from './toasts.ts'

const CALL_TIMEOUT_MS = 20_000

declare global {
  interface Window {
    /** The answers to the calls of the first screen by path, which the head of the page sends before any module runs. */
    earlyAnswers?: Partial<Record<string, Promise<Response>>>
  }
}

function fetchOrTakeEarly(path: string, init: RequestInit): Promise<Response> {
  const early = window.earlyAnswers?.[path]
  if (early === undefined) return window.fetch(path, init)
  window.earlyAnswers = { ...window.earlyAnswers, [path]: undefined }
  // The head of the page sets no timeout on its request, so the caller's ends the waiting.
  const timeout = new Promise<never>((_, reject) => init.signal?.addEventListener('abort', reject))
  return Promise.race([early, timeout])
}

export const environment: Environment = {
  call: createCaller({
    fetch: fetchOrTakeEarly,
    timeoutMs: CALL_TIMEOUT_MS,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  }),
  loadCheckout: async (scriptUrl) =>
    (await import('../api/razorpay-checkout.ts')).loadCheckout(scriptUrl),
  userAgent: () => navigator.userAgent,
  storage: storageOf(() => localStorage),
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
}

function guardOfPage(): Guard {
  const guard = document.documentElement.dataset.guard
  return guard === 'signed-in' || guard === 'guest' ? guard : 'public'
}

export const toasts = createToasts(environment)
export const session = createSession({ environment, toasts, guard: guardOfPage })

/** The dependencies of every store of a page. */
export const deps: StoreDeps = { environment, session, toasts }
