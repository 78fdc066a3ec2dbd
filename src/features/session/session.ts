import { atom } from 'nanostores'
import type { CallEndpoint, CallFailure } from '../../api/call-endpoint.ts'
import type { User } from '../../contract/account.ts'
import type { CallSuccess } from '../../contract/endpoint.ts'
import type { loginEndpoint } from '../../contract/session.ts'
import { SESSION } from '../../contract/session-messages.ts'
import { environment, type Here, onEnvironment } from '../../lib/environment.ts'
import { safeNext } from '../../lib/safe-next.ts'
import { forgetUnsent, forgetUnsentOfGuest } from '../../lib/unsent.ts'
import { toasts } from '../toasts/toasts.ts'

/**
 * The user of this page. `unreachable`: a token is stored, but the server does not answer. Only a 401 clears the token:
 * a failed check mostly means that there is no network, and a tunnel must not sign people out.
 */
export type SessionState =
  | { status: 'loading'; user: null }
  | { status: 'guest'; user: null }
  | { status: 'unreachable'; user: null }
  | { status: 'signed-in'; user: User }

/** Of the answer to a sign-in. */
type SignedIn = Pick<CallSuccess<typeof loginEndpoint>, 'token' | 'user' | 'message'>

export const TOKEN_KEY = 'token'
/** In the query of /login: the server ended the session, so the page shows a message. */
const ENDED_PARAMETER = 'ended'
export const NEXT_PARAMETER = 'next'
export const HOME = '/dashboard'
export const LOGIN = '/login'

/** Milliseconds between two attempts to reach the server; the last one repeats. */
const RETRY_MS = [2_000, 4_000, 8_000, 15_000, 30_000]

/** How long signing out waits for the server, in milliseconds. */
const SIGN_OUT_MS = 3_000

/** The signed-in account of this browser: one token in storage, one user in memory. */
function createSession() {
  const { storage, clock, navigate, navigateInstead, here, guard } = environment
  const $session = atom<SessionState>({ status: 'loading', user: null })
  let cancelRetry: () => void = () => undefined
  /** True after a sign-out, here or in another tab. The store then ignores 401s, and a late answer about the user. */
  let isAbandoned = false
  let hasSignedInHere = false
  /** The token of the user that this page shows. */
  let shownToken: string | null = null
  if (environment.isOpenedAnew()) forgetUnsentOfGuest()

  function becomeSignedIn(token: string | null, user: User) {
    forgetUnsent(user.id)
    shownToken = token
    $session.set({ status: 'signed-in', user })
  }

  function becomeGuest() {
    $session.set({ status: 'guest', user: null })
  }

  /**
   * Begins the session that the server opened: stores the token, and this page shows the user and, as a toast, the server's
   * message. False, with a toast that says why, in a browser that stores nothing: it would forget the user on the next page.
   */
  function begin({ token, user, message }: SignedIn): boolean {
    if (!storage.setItem(TOKEN_KEY, token)) {
      void endAtServer(token)
      toasts.error(SESSION.storageBlocked)
      return false
    }
    isAbandoned = false
    hasSignedInHere = true
    becomeSignedIn(token, user)
    if (message !== undefined) toasts.success(message)
    return true
  }

  /** Handles a session that the server ended: opens /login, which shows a message and then leads back here. */
  function handleEnded() {
    storage.removeItem(TOKEN_KEY)
    becomeGuest()
    if (guard() === 'signed-in') navigate(loginPath(here(), true))
  }

  const call: CallEndpoint = async (name, input) => {
    const token = storage.getItem(TOKEN_KEY)
    const result = await environment.call(name, { ...input, token })
    const isOver = !result.ok && result.kind === 'unauthenticated'
    // A slow answer to an old token must not end a newer session.
    if (isOver && !isAbandoned && storage.getItem(TOKEN_KEY) === token) handleEnded()
    return result
  }

  function retryLater(failure: CallFailure, tries: number) {
    if (failure.kind === 'unauthenticated') return
    // A page in use stays, with what its user typed.
    if ($session.get().user === null) $session.set({ status: 'unreachable', user: null })
    const waitMs = RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] ?? 30_000
    cancelRetry = clock.after(waitMs, () => void start(tries + 1))
  }

  /** Asks who is signed in. Called when a page starts, when the network returns, and by "Try again". */
  async function start(tries = 0) {
    cancelRetry()
    isAbandoned = false
    const token = storage.getItem(TOKEN_KEY)
    if (token === null) {
      becomeGuest()
      // The browser may restore this page from the back/forward cache after a sign-out, without running its head.
      if (guard() === 'signed-in') navigate(loginPath(here(), false))
      return
    }
    if ($session.get().user !== null && token !== shownToken) {
      // Somebody else may have signed in since. Everything on this page is of the user before.
      const { path, search } = here()
      navigateInstead(path + search)
      return
    }
    const result = await call('GET /api/auth/me', {})
    if (isAbandoned) return
    if (result.ok) becomeSignedIn(token, result.data.user)
    else retryLater(result, tries)
  }

  async function signOut() {
    const token = storage.getItem(TOKEN_KEY)
    forget()
    if (await endAtServer(token)) toasts.success(SESSION.loggedOut)
    else toasts.info(SESSION.signedOutHere)
    leave()
  }

  /** Whether the server confirms within `SIGN_OUT_MS` that the session is over. The call outlives the page. */
  function endAtServer(token: string | null): Promise<boolean> {
    return new Promise((resolve) => {
      const cancelTimer = clock.after(SIGN_OUT_MS, () => resolve(false))
      void environment.call('POST /api/auth/logout', { token, keepalive: true }).then((result) => {
        cancelTimer()
        resolve(result.ok || result.kind === 'unauthenticated')
      })
    })
  }

  /** Removes the token, and what was typed. Calls that are still pending then get a 401, which must not open /login. */
  function forget() {
    isAbandoned = true
    storage.removeItem(TOKEN_KEY)
    forgetUnsent()
  }

  /** Forgets the session without asking the server, and goes to the landing page. */
  function leave() {
    forget()
    becomeGuest()
    navigate('/')
  }

  /** Follows a sign-in or sign-out in another tab (the `storage` event). */
  async function followOtherTab(token: string | null) {
    if (token === null) {
      isAbandoned = true
      becomeGuest()
      if (guard() === 'signed-in') navigate(LOGIN)
      return
    }
    await recheck()
  }

  /** Asks who is signed in on a page that is not new: restored from the back/forward cache, or open in another tab. */
  async function recheck() {
    await start()
    // Each tab goes where its own user was going.
    if (guard() === 'guest' && $session.get().status === 'signed-in')
      navigateInstead(pathAfterSignIn(here()))
  }

  /** Waits until the store knows who is signed in. */
  function whenKnown(): Promise<SessionState> {
    return new Promise((resolve) => {
      const stop = $session.subscribe((state) => {
        if (state.status === 'loading') return
        resolve(state)
        queueMicrotask(() => stop())
      })
    })
  }

  return {
    $session,
    call,
    whenKnown,
    start: () => start(),
    begin,
    /** True after a sign-in on this page: the form decides where to go. */
    hasSignedInHere: () => hasSignedInHere,
    signOut,
    forget,
    leave,
    followOtherTab,
    recheck,
    /** Call when an answer contains a newer user. */
    setUser: (user: User) => $session.set({ status: 'signed-in', user }),
  }
}

/** The session of this page. */
export let session: ReturnType<typeof createSession>
onEnvironment(() => {
  session = createSession()
})

/** The path of /login that leads back to this page. `hasEnded`: /login shows that the session has ended. */
function loginPath(here: Here, hasEnded: boolean): string {
  const query = new URLSearchParams({ [NEXT_PARAMETER]: here.path + here.search })
  if (hasEnded) query.set(ENDED_PARAMETER, '1')
  return `${LOGIN}?${query}${here.hash}`
}

/** The path to return to after signing in, from the query of /login or /register; null when there is none. */
export function nextPath(search: string): string | null {
  return safeNext(new URLSearchParams(search).get(NEXT_PARAMETER))
}

/** Where /login and /register lead: back to the page the user came from, or to the dashboard. */
export function pathAfterSignIn({ search, hash }: Pick<Here, 'search' | 'hash'>): string {
  const next = nextPath(search)
  return next === null ? HOME : next + hash
}
