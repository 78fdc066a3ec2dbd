import { useEffect, useRef, useState } from 'react'
import type { Tokens, User } from '../../contract/account.ts'
import { answersIn } from '../../contract/answers.ts'
import { countsBetween, formatCount } from '../../lib/numbers.ts'

interface Props {
  /** Null while it is not known. */
  user: User | null
  /** Leads with what the tokens are worth. */
  hasAnswers?: boolean
  /** Follows the tokens. */
  note?: string
}

/** The tokens left, in the head of a page. */
export function TokensLeft({ user, hasAnswers = false, note = '' }: Props) {
  const answers = user === null ? null : answersIn(leftOf(user.tokens))
  const text = useRolling(user === null ? null : leftOf(user.tokens))
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
