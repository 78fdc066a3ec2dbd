import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { session } from './session.ts'

/** The signed-in user, or null while that is not known or nobody is signed in. */
export function useUser() {
  return useStore(session.$session, { ssr: 'initial' }).user
}

/**
 * The same, read anew when the window comes to the front: the desktop app may have used tokens while another was there.
 * `onChange` loads what else the page says about the tokens, whenever the user was read anew, also after a step back.
 */
export function useFreshUser(onChange: () => unknown) {
  const user = useUser()
  useEffect(() => {
    const handleFocus = () =>
      void session.call('GET /api/auth/me', {}).then((result) => {
        if (result.ok) session.setUser(result.data.user)
      })
    addEventListener('focus', handleFocus)
    const stop = session.$session.listen(({ user: now }, before) => {
      if (now !== null && before?.user) void onChange()
    })
    return () => {
      removeEventListener('focus', handleFocus)
      stop()
    }
  }, [onChange])
  return user
}
