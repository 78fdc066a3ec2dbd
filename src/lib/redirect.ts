import { atom } from 'nanostores'
import { environment } from './environment.ts'

/** A redirect in a few seconds, from which the user can stay. */
export function createRedirect(go: () => void) {
  const $isStaying = atom(false)
  let cancel = () => {
    // No redirect is under way yet.
  }
  return {
    $isStaying,
    startIn: (ms: number) => {
      cancel = environment.clock.after(ms, go)
    },
    stay: () => {
      cancel()
      $isStaying.set(true)
    },
  }
}
