import type { Environment } from './environment.ts'
import { isPaidForSure, isSignedOut } from './checkout.ts'
import type { Session } from './session.ts'

/** Waits between looks after the window was closed: about a minute in all. */
const WAITS_MS = [2_000, 4_000, 8_000, 16_000, 30_000]

/** Keeps looking for money that arrives after the window was closed. The answer calls the watch off. */
export function watchPayment(
  { environment, session }: { environment: Environment; session: Session },
  purchaseId: string,
  onPaid: () => void,
): () => void {
  let callOff: () => void = () => undefined
  let isOff = false

  const look = async (turn: number) => {
    const isPaid = await isPaidForSure(session, purchaseId)
    if (isOff || (!isPaid && isSignedOut(session))) return
    if (isPaid) onPaid()
    else wait(turn + 1)
  }
  const wait = (turn: number) => {
    const waitMs = WAITS_MS[turn]
    if (waitMs !== undefined) callOff = environment.clock.after(waitMs, () => void look(turn))
  }

  wait(0)
  return () => {
    isOff = true
    callOff()
  }
}
