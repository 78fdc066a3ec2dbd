import { useEffect, useRef, useState } from 'react'
import type { Tokens } from '../../contract/account.ts'
import { answersIn } from '../../contract/answers.ts'
import { countsBetween, formatCount } from '../../lib/numbers.ts'
import { session } from '../session/session.ts'
import { useUser } from '../session/use-user.ts'

interface Props {
  reload: () => unknown
  /** Leads with what the tokens are worth. */
  hasAnswers?: boolean
  /** Follows the tokens. */
  note?: string
}

/**
 * The tokens left, in the head of a page. It stays current: the app may use some while another window is in front. `reload`
 * loads what else the page says about them when the user is known anew, also after a step back.
 */
export function TokensLeft({ reload, hasAnswers = false, note = '' }: Props) {
  const user = useUser()
  const answers = user === null ? null : answersIn(leftOf(user.tokens))
  const text = useRolling(user === null ? null : leftOf(user.tokens))
  useEffect(() => {
    const handleFocus = () =>
      void session.call('GET /api/auth/me', {}).then((result) => {
        if (result.ok) session.setUser(result.data.user)
      })
    addEventListener('focus', handleFocus)
    const stop = session.$session.listen(({ user: now }, before) => {
      if (now !== null && before?.user) void reload()
    })
    return () => {
      removeEventListener('focus', handleFocus)
      stop()
    }
  }, [reload])
  return (
    // The numbers come with the user; their lines are there before.
    <div className="left" data-waiting={user === null || undefined}>
      {hasAnswers && answers !== 0 && (
        <p className="answers-left">
          About{' '}
          <strong className="display" translate="no">
            {answers !== null && formatCount(answers)}
          </strong>{' '}
          answers left
        </p>
      )}
      <p className="tokens-left">
        <strong className="display" translate="no">
          {text}
        </strong>{' '}
        <span>{`tokens left${note}`}</span>
      </p>
    </div>
  )
}

const leftOf = ({ used, total }: Tokens) => Math.max(0, total - used)

/** A number that counts to its new value, so that users see how much was used. */
function useRolling(wanted: number | null): string {
  const before = useRef<number | null>(null)
  const [text, setText] = useState('')
  useEffect(() => {
    const from = before.current
    before.current = wanted
    if (wanted === null) return
    const isStill =
      from === null || from === wanted || matchMedia('(prefers-reduced-motion: reduce)').matches
    const counts = isStill ? [formatCount(wanted)] : countsBetween(from, wanted)
    let frame = 0
    const next = () => {
      const count = counts.shift()
      if (count === undefined) return
      setText(count)
      frame = requestAnimationFrame(next)
    }
    next()
    return () => cancelAnimationFrame(frame)
  }, [wanted])
  return text
}
