import { useEffect } from 'react'
import { meEndpoint, type Tokens } from '../../contract/account.ts'
import { countsBetween } from '../../lib/numbers.ts'
import { wantsStillness } from '../../lib/stillness.ts'
import { session } from '../../stores/browser.ts'

/**
 * Keeps the tokens left in the head of the page current: the app may use some while another window is in front. `reload`
 * loads what else the page says about them.
 */
export function useTokensLeft(reload: () => unknown) {
  useEffect(() => {
    const refresh = async () => {
      void reload()
      const result = await session.call(meEndpoint, {})
      if (result.ok) session.setUser(result.data.user)
    }
    const handleFocus = () => void refresh()
    addEventListener('focus', handleFocus)
    const stop = session.$session.listen(({ user }, before) => {
      if (user !== null && before?.user) roll(leftOf(before.user.tokens), leftOf(user.tokens))
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
