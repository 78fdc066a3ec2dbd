import { useStore } from '@nanostores/react'
import { session } from './session.ts'

/** The signed-in user, or null while that is not known or nobody is signed in. */
export function useUser() {
  return useStore(session.$session, { ssr: 'initial' }).user
}
