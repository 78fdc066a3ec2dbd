import { environment } from '../lib/environment.ts'
import { NEXT_PARAMETER, nextPath, pathAfterSignIn, session } from '../features/session/session.ts'
import { each } from './elements.ts'
import { setPageState } from './state.ts'

/**
 * Shows or hides the page depending on the session. The head of the page knows only whether a token is stored; this
 * script uses the server's answer. The session store redirects guests from pages for signed-in users.
 */
export function startGuard() {
  const root = document.documentElement
  let wasLoaded = false
  if (root.dataset.guard === 'guest') carryNext()

  session.$session.subscribe(({ status, user }) => {
    setPageState({ session: status })
    if (status === 'signed-in') setPageState({ signedIn: '', plan: user.subscription.status })
    else if (status === 'guest') setPageState({ signedIn: undefined, plan: undefined })
    // Redirects users who arrive signed in. A sign-in on this page may finish before this runs; its form redirects.
    const isArrival = !wasLoaded && status !== 'loading' && !session.hasSignedInHere()
    wasLoaded ||= status === 'guest' || status === 'signed-in'
    if (isArrival && status === 'signed-in' && root.dataset.guard === 'guest') {
      environment.navigate(pathAfterSignIn(location))
    }
  })
}

/** /login and /register link to each other; the link passes on the page to return to. */
function carryNext() {
  const next = nextPath(location.search)
  if (next === null) return
  for (const link of each('main :is([href="/login"], [href="/register"])', HTMLAnchorElement)) {
    link.search = new URLSearchParams({ [NEXT_PARAMETER]: next }).toString()
  }
}
