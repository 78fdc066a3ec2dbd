import { useState } from 'react'
import type { Customer } from '../../contract/desk.ts'
import { DESK_ACT } from '../../contract/desk-acts.ts'
import { amountInWords } from '../../lib/amount-in-words.ts'
import { TextField } from '../../ui/TextField.tsx'
import { ActButton } from './ActButton.tsx'

interface Props {
  userId: string
  /** The address of the account. */
  of: string
  /** What was bought, in words. */
  about: string
  purchase: Customer['purchases'][number]
  onDone: () => Promise<unknown>
}

/** Gives money of a purchase back: what the formula says, or what is typed. */
export function RefundButton({ userId, of, about, purchase, onDone }: Props) {
  const { id, currency } = purchase
  const [typed, setTyped] = useState('')
  const amountMinor = minorOf(typed)
  const hint =
    typed === ''
      ? 'Empty: the price times the unused share of the tokens, and a plan ends.'
      : amountMinor === null
        ? DESK_ACT.amount
        : `${amountInWords(amountMinor, currency)}. A plan goes on unless this is all of the money.`
  return (
    <ActButton
      label="Refund"
      of={of}
      about={about}
      act={() =>
        typed !== '' && amountMinor === null
          ? { problem: DESK_ACT.amount }
          : { kind: 'refund', userId, purchaseId: id, amountMinor }
      }
      fields={
        <TextField
          id="refund-amount"
          name="amount"
          label={`Amount in ${currency}`}
          hint={hint}
          isOptional
          isVerbatim
          value={typed}
          onValue={(value) => {
            setTyped(value.trim())
          }}
        />
      }
      onDone={() => {
        setTyped('')
        return onDone()
      }}
    />
  )
}

/** `12`, `12.5` and `12.50` in minor units; null for anything else. */
function minorOf(typed: string): number | null {
  const [, whole, part = ''] = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(typed) ?? []
  return whole === undefined ? null : Number(whole) * 100 + Number(part.padEnd(2, '0'))
}
