import { session } from '../../stores/browser.ts'
import { useStore } from '../use-store.ts'

/** The signed-in user, or null while that is not known or nobody is signed in. */
export function useUser() {
  return useStore(session.$session).user
}
