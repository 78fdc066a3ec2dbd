import { atom } from 'nanostores'
import type { CallResult } from '../api/call-endpoint.ts'

/** Sends a call. When the server wants a confirmation first, asks for it and sends the call again. */
export type Confirmed = <Data>(send: () => Promise<CallResult<Data>>) => Promise<CallResult<Data>>

/** Asks the user to confirm who they are, when a call needs it. The dialog that asks has a store of its own. */
export function createStepUp() {
  const $isAsking = atom(false)
  let settle: (isConfirmed: boolean) => void = () => undefined

  const confirmed: Confirmed = async (send) => {
    const result = await send()
    if (result.ok || result.code !== 'STEP_UP_REQUIRED' || $isAsking.get()) return result
    const isConfirmed = await new Promise<boolean>((resolve) => {
      settle = resolve
      $isAsking.set(true)
    })
    $isAsking.set(false)
    return isConfirmed ? send() : result
  }

  return {
    $isAsking,
    confirmed,
    /** Call when the user was confirmed, or closed the dialog. */
    finish: (isConfirmed: boolean) => {
      settle(isConfirmed)
    },
  }
}
