import type { SubscriptionStatus } from '../../contract/account.ts'
import { SESSION } from '../../contract/session-messages.ts'
import { environment } from '../../lib/environment.ts'
import { toasts } from '../toasts/toasts.ts'
import {
  NEXT_PARAMETER,
  nextPath,
  pathAfterSignIn,
  session,
  type SessionState,
  TOKEN_KEY,
} from './session.ts'
import { createThemeSync } from './theme-sync.ts'

/** Asks who is signed in, shows or hides the page accordingly, and follows what other tabs and the browser do. */
export function startSession(): void {
  // One that throws leaves the others alone.
  for (const part of [guardPage, followBrowser, syncTheme]) {
    try {
      part()
    } catch (error) {
      reportError(error)
    }
  }
  void session.start()
}

function followBrowser() {
  addEventListener('storage', (event) => {
    if (event.key === TOKEN_KEY) void session.followOtherTab(event.newValue)
  })
  addEventListener('online', () => {
    if (session.$session.get().status === 'unreachable') void session.start()
  })
  addEventListener('pageshow', (event) => {
    // The browser restored the page from the back/forward cache, so its state may be stale.
    if (event.persisted) void session.recheck()
  })
  document
    .querySelector('[data-retry-session]')
    ?.addEventListener('click', () => void session.start())
}

/**
 * The head of the page knows only whether a token is stored; this uses the server's answer. The session store redirects
 * guests from pages for signed-in users.
 */
function guardPage() {
  const isForGuests = environment.guard() === 'guest'
  let wasLoaded = false
  if (isForGuests) carryNext()
  session.$session.subscribe(({ status, user }) => {
    markPage(status, user?.subscription.status)
    // Redirects users who arrive signed in. A sign-in on this page may finish before this runs; its form redirects.
    const isArrival = !wasLoaded && status !== 'loading' && !session.hasSignedInHere()
    wasLoaded ||= status === 'guest' || status === 'signed-in'
    if (!isArrival || status !== 'signed-in' || !isForGuests) return
    if (location.pathname.startsWith('/reset-password/')) toasts.info(SESSION.resetSignedIn)
    environment.navigateInstead(pathAfterSignIn(location))
  })
}

/**
 * The state of the session on <html>: styles show the bar, the page, the spinner or "We cannot reach the server", and keep the
 * cards of the plans from offering to somebody what they have.
 */
function markPage(status: SessionState['status'], plan: SubscriptionStatus | undefined) {
  const { dataset } = document.documentElement
  dataset['session'] = status
  if (plan !== undefined) dataset['plan'] = plan
  else if (status === 'guest') delete dataset['plan']
}

/** The pages of guests link to each other; a link passes on the page to return to. */
function carryNext() {
  const next = nextPath(location.search)
  if (next === null) return
  const pages = ['/login', '/register', '/forgot-password']
  const links = pages.map((path) => `main [href="${path}"]`).join()
  const carry = () => {
    for (const link of document.querySelectorAll<HTMLAnchorElement>(links)) {
      link.search = new URLSearchParams({ [NEXT_PARAMETER]: next }).toString()
    }
  }
  carry()
  // React may have written a link anew.
  for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, carry)
}

/** Saves the theme chosen in the footer with the account, and shows a theme that the user chose on another device. */
function syncTheme() {
  const themeSync = createThemeSync()
  themeSync.start()
  // On the document, because the footer's own script stores the choice when the event reaches the menu.
  document.addEventListener('change', ({ target }) => {
    const { user } = session.$session.get()
    const isChoice = target instanceof Element && target.matches('[data-theme-choice]')
    if (isChoice && user !== null) themeSync.sync(user)
  })
}
