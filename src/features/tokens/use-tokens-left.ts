import { useEffect } from 'react'
import type { Tokens } from '../../contract/account.ts'
import { countsBetween } from '../../lib/numbers.ts'
import { wantsStillness } from '../../lib/stillness.ts'
import { session } from '../session/session.ts'

/**
 * Keeps the tokens left in the head of the page current: the app may use some while another window is in front. `reload`
 * loads what else the page says about them when the user is known anew, also after a step back.
 */
export function useTokensLeft(reload: () => unknown) {
  useEffect(() => {
    const handleFocus = () =>
      void session.call('GET /api/auth/me', {}).then((result) => {
        if (result.ok) session.setUser(result.data.user)
      })
    addEventListener('focus', handleFocus)
    const stop = session.$session.listen(({ user }, before) => {
      if (user === null || !before?.user) return
      void reload()
      roll(leftOf(before.user.tokens), leftOf(user.tokens))
    })
    return () => {
      removeEventListener('focus', handleFocus)
      stop()
    }
  }, [reload])
}

const leftOf = ({ used, total }: Tokens) => Math.max(0, total - used)

/** Counts from the old number to the new one, so that users see how much was used; the shell has written the new one. */
function roll(from: number, to: number) {
  const place = document.querySelector('[data-user="tokens-left"]')
  if (place === null || from === to || wantsStillness(window)) return
  const counts = countsBetween(from, to)
  const next = () => {
    const text = counts.shift()
    if (text === undefined) return
    place.textContent = text
    requestAnimationFrame(next)
  }
  next()
}
