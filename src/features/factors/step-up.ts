import { atom } from 'nanostores'
import type { CallEndpoint } from '../../api/call-endpoint.ts'
import { type Deferred, deferred } from '../../lib/deferred.ts'
import { session } from '../session/session.ts'

/** Sends calls with `send`, and asks the user to confirm who they are when a call needs it. */
export function createStepUp(send: CallEndpoint) {
  /** The confirmation that calls wait for; null when none is needed. */
  const $pending = atom<Deferred<boolean> | null>(null)

  /** Sends a call. When the server wants a confirmation first, waits for it and sends the call again. */
  const call: CallEndpoint = async (endpoint, input) => {
    const result = await send(endpoint, input)
    if (result.ok || result.code !== 'STEP_UP_REQUIRED') return result
    const pending = $pending.get() ?? deferred<boolean>()
    $pending.set(pending)
    return (await pending.promise) ? send(endpoint, input) : result
  }

  /** Call when the user has confirmed, or has closed the dialog. */
  function finish(isConfirmed: boolean) {
    $pending.get()?.resolve(isConfirmed)
    $pending.set(null)
  }

  return { $pending, call, finish }
}

/** For calls that may need a confirmation. The page must show `StepUp`. */
export const stepUp = createStepUp((endpoint, input) => session.call(endpoint, input))
