import { createCaller } from '../../src/api/call-endpoint.ts'
import type { CheckoutConstructor } from '../../src/api/razorpay-checkout.ts'
import type { KeyValueStorage } from '../../src/lib/browser-storage.ts'
import {
  type Clock,
  type Environment,
  type Guard,
  setupEnvironment,
} from '../../src/lib/environment.ts'
import { session, TOKEN_KEY } from '../../src/features/session/session.ts'
import { THEME_KEY } from '../../src/lib/theme.ts'
import { toasts } from '../../src/features/toasts/toasts.ts'
import { meEndpoint } from '../../src/contract/account.ts'
import { startApiServer } from './api-server.ts'
import { aMe, aUser } from './samples.ts'
import { setImmediate } from 'node:timers/promises'

interface Options {
  path?: string
  search?: string
  hash?: string
  guard?: Guard
  widget?: CheckoutConstructor | null
  isSignedIn?: boolean
}

function createStorage(): KeyValueStorage {
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value) === kept,
    removeItem: (key) => {
      kept.delete(key)
    },
  }
}

/** Sets up an environment without a browser for all stores: real calls to the test's server, and a clock that the test moves. */
export async function createStoreFixture(options: Options = {}) {
  const { path = '/dashboard', search = '', hash = '' } = options
  const { guard = 'signed-in', isSignedIn = false } = options
  const server = await startApiServer()
  const { clock, advance } = createVirtualClock()
  const went: string[] = []
  const address = { origin: server.url, path, search, hash }
  /** The searches that "back" leads to, oldest first. */
  const steps: string[] = []
  const themes: string[] = []
  const files: [name: string, text: string][] = []
  let ids = 0
  const environment: Environment = {
    call: createCaller({
      fetch: (url, init) => fetch(server.url + url, init),
      timeoutMs: 60_000,
      endAfter: (ms) => AbortSignal.timeout(ms),
      wait: () => Promise.resolve(),
    }),
    loadCheckout: () => Promise.resolve(options.widget ?? null),
    userAgent: () => '',
    storage: createStorage(),
    tabStorage: createStorage(),
    clock,
    newId: () => {
      ids += 1
      return `id-${ids}`
    },
    navigate: (to) => {
      went.push(to)
    },
    navigateInstead: (to) => {
      went.push(to)
    },
    replaceSearch: (next) => {
      address.search = next
      address.hash = ''
    },
    pushSearch: (next) => {
      steps.push(address.search)
      address.search = next
    },
    here: () => address,
    isOpenedAnew: () => false,
    onReturn: () => () => undefined,
    guard: () => guard,
    applyTheme: (theme) => {
      themes.push(theme)
      environment.storage.setItem(THEME_KEY, theme)
    },
    saveFile: (name, text) => {
      files.push([name, text])
    },
  }
  setupEnvironment(environment)
  if (isSignedIn) {
    server.answer(meEndpoint, aMe())
    session.begin({ token: 'the-token', user: aUser() })
  }
  return {
    server,
    environment,
    toasts,
    session,
    went,
    address,
    steps,
    themes,
    files,
    advance,
    token: () => environment.storage.getItem(TOKEN_KEY),
    /** Kind and text of the toasts, oldest first. */
    said: () => toasts.$toasts.get().map(({ kind, text }) => `${kind}: ${text}`),
  }
}

/** A clock that the test moves. */
function createVirtualClock(startMs = Date.parse('2026-11-21T10:00:00Z')) {
  let now = startMs
  let waiting: { at: number; run: () => void }[] = []

  const clock: Clock = {
    now: () => now,
    after: (ms, run) => {
      const timer = { at: now + ms, run }
      waiting.push(timer)
      return () => {
        waiting = waiting.filter((other) => other !== timer)
      }
    },
  }

  /** Moves the clock and runs the timers that are due, in order. It does not wait for calls that they start. */
  async function advance(ms: number) {
    const end = now + ms
    for (;;) {
      const next = waiting.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      waiting = waiting.filter((other) => other !== next)
      now = Math.max(now, next.at)
      next.run()
      await setImmediate()
    }
    now = end
  }

  return { clock, advance }
}
