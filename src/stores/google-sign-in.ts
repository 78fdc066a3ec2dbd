import { atom } from 'nanostores'
import {
  GOOGLE_PROBLEMS,
  googleFinishEndpoint,
  GoogleProblem,
  googleStartEndpoint,
  providersEndpoint,
} from '../contract/google.ts'
import { TOAST } from '../contract/messages.ts'
import { safeNext } from '../lib/safe-next.ts'
import { sentenceOf } from './failure-text.ts'
import { HOME, NEXT_PARAMETER, nextPath } from './session.ts'
import type { StoreDeps } from './session.ts'

/** In the query of /login: why a sign-in with Google came to nothing. */
const PROBLEM_PARAMETER = 'problem'
/** In the fragment of /login: the one-time code of a sign-in that only needs finishing. */
const CODE_PARAMETER = 'google'

export interface GoogleSignInState {
  step: 'idle' | 'asking' | 'leaving' | 'finishing' | 'coming-soon'
  /** What to tell the person, or null. */
  problem: string | null
}

interface GoogleSignInDeps extends StoreDeps {
  /** The fragment of this page with its sign, or ''. */
  fragment: () => string
}

/** The Google button of /login and /register, and the return from Google to /login. */
export function createGoogleSignIn({ environment, session, toasts, fragment }: GoogleSignInDeps) {
  const $google = atom<GoogleSignInState>({ step: 'idle', problem: null })
  let isOffered: boolean | null = null

  const become = (step: GoogleSignInState['step'], problem: string | null = null) => {
    $google.set({ step, problem })
  }

  /** Asks the server once whether Google is offered; without an answer says so, and may be pressed again. */
  async function press() {
    const { step } = $google.get()
    if (step !== 'idle') return
    become('asking')
    if (isOffered === null) {
      const result = await environment.call(providersEndpoint, {})
      if (!result.ok) {
        become('idle')
        toasts.error(sentenceOf(result))
        return
      }
      isOffered = result.data.google
    }
    if (!isOffered) {
      become('coming-soon')
      return
    }
    become('leaving')
    environment.navigate(startPath(environment.here().search))
  }

  /** /login was opened: finishes what began at Google, or says what came of it. */
  async function arrive() {
    const query = new URLSearchParams(environment.here().search)
    const returned = new URLSearchParams(fragment().slice(1))
    const code = returned.get(CODE_PARAMETER)
    const problem = GoogleProblem.safeParse(query.get(PROBLEM_PARAMETER))
    if (code === null && !problem.success) return
    // The code is good once: it is not left in the address bar for a reload or the way back.
    query.delete(PROBLEM_PARAMETER)
    environment.replaceSearch(query.size === 0 ? '' : `?${query}`)
    if (code === null) become('idle', problem.success ? GOOGLE_PROBLEMS[problem.data] : null)
    else await finish(code, returned.get(NEXT_PARAMETER))
  }

  async function finish(code: string, next: string | null) {
    become('finishing')
    const result = await environment.call(googleFinishEndpoint, { body: { code } })
    if (!result.ok) {
      become('idle', sentenceOf(result))
      return
    }
    session.adopt(result.data.token, result.data.user)
    toasts.success(TOAST.loggedIn)
    environment.navigate(safeNext(next) ?? HOME)
  }

  return {
    $google,
    press,
    arrive,
    /** The modal was closed, or the page shown again by the browser's way back. */
    rest: () => {
      become('idle', $google.get().problem)
    },
  }
}

function startPath(search: string): string {
  const next = nextPath(search)
  const query = next === null ? '' : `?${new URLSearchParams({ [NEXT_PARAMETER]: next })}`
  return googleStartEndpoint.path + query
}
