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
import type { Environment } from './environment.ts'
import { sentenceOf } from './outcome.ts'
import type { Session } from './session.ts'
import { HOME, NEXT_PARAMETER } from './session-state.ts'
import type { Toasts } from './toasts.ts'

export interface GoogleState {
  /** Whether the server is set up for it; until that is known the button counts as not. */
  isOffered: boolean
  isFinishing: boolean
  problem: string | null
}

/** Sign-in with Google: the button starts it at our server; /login#google=code ends it. */
export function createGoogleSignIn(environment: Environment, session: Session, toasts: Toasts) {
  const $google = atom<GoogleState>({ isOffered: false, isFinishing: false, problem: null })
  const change = (part: Partial<GoogleState>) => {
    $google.set({ ...$google.get(), ...part })
  }

  async function askWhetherOffered() {
    const result = await environment.call(providersEndpoint, {})
    change({ isOffered: result.ok && result.data.google })
  }

  /** Goes to Google by way of our server, which keeps the state of the transaction. */
  function begin() {
    const next = safeNext(new URLSearchParams(environment.here().search).get(NEXT_PARAMETER))
    const query = next === null ? '' : `?${new URLSearchParams({ next })}`
    environment.navigate(googleStartEndpoint.path + query)
  }

  async function finish(code: string, next: string | null) {
    change({ isFinishing: true, problem: null })
    const result = await environment.call(googleFinishEndpoint, { body: { code } })
    if (!result.ok) {
      change({ isFinishing: false, problem: sentenceOf(result) })
      return
    }
    session.adopt(result.data.token, result.data.user)
    toasts.success(TOAST.loggedIn)
    environment.navigate(safeNext(next) ?? HOME)
  }

  /** What /login was opened with. `hash` is taken out of the address by the caller: its code works once. */
  async function comeBack(hash: string) {
    const returned = new URLSearchParams(hash.slice(1))
    const code = returned.get('google')
    if (code !== null) {
      await finish(code, returned.get(NEXT_PARAMETER))
      return
    }
    const query = new URLSearchParams(environment.here().search)
    const problem = GoogleProblem.safeParse(query.get('problem'))
    if (problem.success) change({ problem: GOOGLE_PROBLEMS[problem.data] })
  }

  return { $google, askWhetherOffered, begin, comeBack }
}
