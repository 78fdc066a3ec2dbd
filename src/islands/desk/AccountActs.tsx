import type { Customer } from '../../contract/desk.ts'
import type { Act } from '../../contract/desk-acts.ts'
import { formatMinute } from '../../lib/dates.ts'
import { ActButton, type ActField } from './ActButton.tsx'

interface AccountAct {
  label: string
  isOffered?: (customer: Customer) => boolean
  look?: 'danger'
  field?: ActField
  act: (userId: string, typed: string) => Act
}

/** What can be done to an account, in the order of the page. */
const ACTS: readonly AccountAct[] = [
  {
    label: 'End all sessions',
    isOffered: ({ sessions }) => sessions.length > 0,
    act: (userId) => ({ kind: 'end_sessions', userId }),
  },
  {
    label: 'Suspend the account',
    isOffered: ({ suspendedAt }) => suspendedAt === null,
    act: (userId) => ({ kind: 'suspend', userId }),
  },
  {
    label: 'Lift the suspension',
    isOffered: ({ suspendedAt }) => suspendedAt !== null,
    act: (userId) => ({ kind: 'lift_suspension', userId }),
  },
  {
    label: 'Give or take tokens',
    field: { label: 'Tokens', hint: () => '5000 gives, -5000 takes.' },
    act: (userId, typed) => ({ kind: 'adjust_tokens', userId, tokens: numberIn(typed) }),
  },
  {
    label: 'Extend the plan',
    field: { label: 'Days', hint: () => 'Added to its end, as goodwill.' },
    act: (userId, typed) => ({ kind: 'extend_plan', userId, days: numberIn(typed) }),
  },
  {
    label: 'Correct the address',
    isOffered: ({ correctedUntil }) => correctedUntil === null,
    field: { label: 'The right address', type: 'email' },
    act: (userId, email) => ({ kind: 'correct_address', userId, email }),
  },
  {
    label: 'Take the correction back',
    isOffered: ({ correctedUntil }) => correctedUntil !== null,
    act: (userId) => ({ kind: 'undo_correction', userId }),
  },
  { label: 'Export the data', act: (userId) => ({ kind: 'export_data', userId }) },
  {
    label: 'Delete the account',
    look: 'danger',
    act: (userId) => ({ kind: 'delete_account', userId }),
  },
]

/** `5000`, `-5,000` and `5 000` as a number; NaN for anything else. */
function numberIn(typed: string): number {
  const digits = typed.replaceAll(/[\s,]/g, '')
  return /^[+-]?\d{1,9}$/.test(digits) ? Number(digits) : NaN
}

interface Props {
  customer: Customer
  onDone: () => unknown
}

/** What can be done to an account. */
export function AccountActs({ customer, onDone }: Props) {
  const { id, email, correctedUntil } = customer
  return (
    <>
      <div className="form-actions">
        {ACTS.filter(({ isOffered }) => isOffered?.(customer) ?? true).map(({ act, ...shown }) => (
          <ActButton
            key={shown.label}
            {...shown}
            of={email}
            act={(typed) => act(id, typed)}
            onDone={onDone}
          />
        ))}
      </div>
      {correctedUntil !== null && (
        <p className="row-note">
          The address was corrected. Until {formatMinute(correctedUntil)} this can be taken back.
        </p>
      )}
    </>
  )
}
