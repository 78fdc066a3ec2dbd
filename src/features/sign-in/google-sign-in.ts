import { atom } from 'nanostores'
import type { SecondStep } from '../../contract/endpoint.ts'
import { GOOGLE_IN_APP, GOOGLE_PROBLEMS } from '../../contract/google.ts'
import { environment } from '../../lib/environment.ts'
import { isInsideAnApp } from '../../lib/in-app-browser.ts'
import { safeNext } from '../../lib/safe-next.ts'
import { sentenceOf } from '../../api/failure-text.ts'
import { HOME, NEXT_PARAMETER, nextPath, session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

/** In the query of /login: why signing in with Google failed. */
const PROBLEM_PARAMETER = 'problem'
/** In the fragment of /login: the code that finishes a sign-in. */
const CODE_PARAMETER = 'google'

interface GoogleSignInState {
  step: 'idle' | 'asking' | 'leaving' | 'finishing' | 'coming-soon'
  /** The problem to show, or null. */
  problem: string | null
}

/** The account has a second step, which finishes the sign-in and then leads to `next`. */
interface AfterGoogle {
  step: SecondStep
  next: string
}

/** The Google button of /login, /register and the plans page, and the return from Google to /login. */
export function createGoogleSignIn() {
  const { here, tabStorage } = environment
  const $google = atom<GoogleSignInState>({ step: 'idle', problem: null })
  const $secondStep = atom<AfterGoogle | null>(null)
  let isOffered: boolean | null = null

  const become = (step: GoogleSignInState['step'], problem: string | null = null) =>
    $google.set({ step, problem })

  /**
   * Asks the server once whether it offers Google, and leaves for it, to come back to `next`. After a failed call it shows a
   * toast and asks again next time.
   */
  async function leave(next = nextPath(here().search)) {
    const { step } = $google.get()
    if (step !== 'idle') return
    if (isInsideAnApp(environment.userAgent())) {
      become('idle', GOOGLE_IN_APP)
      return
    }
    become('asking')
    if (isOffered === null) {
      const result = await environment.call('GET /api/auth/providers', {})
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
    tabStorage.setItem('came-for', next === null ? HOME : next + here().hash)
    environment.navigate(startPath(next))
  }

  /** Runs when /login opens: finishes a sign-in that returns from Google, or shows why it failed. */
  async function handleReturn() {
    const query = new URLSearchParams(here().search)
    const returned = new URLSearchParams(here().hash.slice(1))
    const code = returned.get(CODE_PARAMETER)
    const name = query.get(PROBLEM_PARAMETER)
    const problem = Object.entries(GOOGLE_PROBLEMS).find(([known]) => known === name)?.[1] ?? null
    if (code === null && problem === null) return
    // The code works once, so a reload or the back button must not find it in the address.
    query.delete(PROBLEM_PARAMETER)
    const next = safeNext(returned.get(NEXT_PARAMETER))
    if (next !== null) query.set(NEXT_PARAMETER, next)
    environment.replaceSearch(query.size === 0 ? '' : `?${query}`)
    if (code === null) become('idle', problem)
    else await finish(code)
  }

  async function finish(code: string) {
    become('finishing')
    const path = wholePath(nextPath(here().search) ?? HOME)
    const result = await environment.call('POST /api/auth/google/finish', { body: { code } })
    if (!result.ok) {
      const { secondStep } = result
      become('idle', secondStep === undefined ? sentenceOf(result) : null)
      if (secondStep !== undefined) $secondStep.set({ step: secondStep, next: path })
      return
    }
    if (!session.begin(result.data)) {
      become('idle')
      return
    }
    tabStorage.removeItem('came-for')
    environment.navigateInstead(path)
  }

  /** The path that Google leads back to, with the fragment, which the server does not know. */
  function wholePath(path: string): string {
    const kept = tabStorage.getItem('came-for')
    return kept?.startsWith(`${path}#`) === true ? kept : path
  }

  return {
    $google,
    $secondStep,
    leave,
    handleReturn,
    /** Call when the modal closes, or when the browser restores the page from the back/forward cache. */
    becomeIdle: () => become('idle', $google.get().problem),
  }
}

function startPath(next: string | null): string {
  const query = next === null ? '' : `?${new URLSearchParams({ [NEXT_PARAMETER]: next })}`
  return '/api/auth/google/start' + query
}
