import { useState } from 'react'
import type { Customer } from '../../contract/desk.ts'
import { DESK_ACT } from '../../contract/desk-acts.ts'
import { formatMinute } from '../../lib/dates.ts'
import { TextField } from '../../ui/TextField.tsx'
import { ActButton } from './ActButton.tsx'

interface Props {
  customer: Customer
  onDone: () => Promise<unknown>
}

/** What can be done to an account. */
export function AccountActs({ customer, onDone }: Props) {
  const { id: userId, email: of, suspendedAt, sessions, correctedUntil } = customer
  return (
    <>
      <div className="form-actions">
        {sessions.length > 0 && (
          <ActButton
            label="End all sessions"
            of={of}
            act={{ kind: 'end_sessions', userId }}
            onDone={onDone}
          />
        )}
        {suspendedAt === null ? (
          <ActButton
            label="Suspend the account"
            of={of}
            act={{ kind: 'suspend', userId }}
            onDone={onDone}
          />
        ) : (
          <ActButton
            label="Lift the suspension"
            of={of}
            act={{ kind: 'lift_suspension', userId }}
            onDone={onDone}
          />
        )}
        <AdjustTokens userId={userId} of={of} onDone={onDone} />
        {correctedUntil === null ? (
          <CorrectAddress userId={userId} of={of} onDone={onDone} />
        ) : (
          <ActButton
            label="Take the correction back"
            of={of}
            act={{ kind: 'undo_correction', userId }}
            onDone={onDone}
          />
        )}
        <ActButton
          label="Export the data"
          of={of}
          act={{ kind: 'export_data', userId }}
          onDone={onDone}
        />
        <ActButton
          label="Delete the account"
          of={of}
          look="danger"
          act={{ kind: 'delete_account', userId }}
          onDone={onDone}
        />
      </div>
      {correctedUntil !== null && (
        <p className="row-note">
          The address was corrected. Until {formatMinute(correctedUntil)} this can be taken back.
        </p>
      )}
    </>
  )
}

interface OfAccount extends Pick<Props, 'onDone'> {
  userId: string
  /** Its address. */
  of: string
}

function AdjustTokens({ userId, of, onDone }: OfAccount) {
  const [typed, setTyped] = useState('')
  const tokens = /^[+-]?\d{1,9}$/.test(typed) ? Number(typed) : null
  return (
    <ActButton
      label="Give or take tokens"
      of={of}
      act={() =>
        tokens === null ? { problem: DESK_ACT.tokens } : { kind: 'adjust_tokens', userId, tokens }
      }
      fields={
        <TextField
          id="adjust-tokens"
          name="tokens"
          label="Tokens"
          hint="5000 gives, -5000 takes."
          isVerbatim
          value={typed}
          onValue={(value) => {
            setTyped(value.replaceAll(/[\s,]/g, ''))
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

function CorrectAddress({ userId, of, onDone }: OfAccount) {
  const [email, setEmail] = useState('')
  return (
    <ActButton
      label="Correct the address"
      of={of}
      act={{ kind: 'correct_address', userId, email }}
      fields={
        <TextField
          id="correct-address"
          name="email"
          type="email"
          label="The right address"
          isVerbatim
          value={email}
          onValue={setEmail}
        />
      }
      onDone={() => {
        setEmail('')
        return onDone()
      }}
    />
  )
}
