import { environment, session } from '../../stores/browser.ts'
import { NEXT_PARAMETER, nextPath, pathAfterSignIn } from '../../stores/session.ts'
import { each } from './elements.ts'

/**
 * Keeps the page true to who uses it. The head decided before the first paint by the token alone; here the
 * server's answer counts. Who may not see a page for signed-in people is sent away by the session itself.
 */
export function startGuard() {
  const root = document.documentElement
  let wasLoaded = false
  if (root.dataset.guard === 'guest') carryNext()

  session.$session.subscribe(({ status }) => {
    // The head may know the user already; what it showed is not taken away again.
    if (status === 'loading' && root.dataset.session === 'signed-in') return
    root.dataset.session = status
    if (status === 'signed-in') root.dataset.signedIn = ''
    else if (status === 'guest') delete root.dataset.signedIn
    // Signing in on this very page goes where the form says; this is for those who came signed in.
    const isArrival = !wasLoaded && status !== 'loading'
    wasLoaded ||= status === 'guest' || status === 'signed-in'
    if (isArrival && status === 'signed-in' && root.dataset.guard === 'guest') {
      environment.navigate(pathAfterSignIn(location.search))
    }
  })
}

/** /login and /register lead to one another: where somebody wanted to go comes along. */
function carryNext() {
  const next = nextPath(location.search)
  if (next === null) return
  for (const link of each('main :is([href="/login"], [href="/register"])', HTMLAnchorElement)) {
    link.search = new URLSearchParams({ [NEXT_PARAMETER]: next }).toString()
  }
}
