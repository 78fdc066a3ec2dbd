import type { Customer } from '../../contract/desk.ts'
import { ACCOUNT_ACTS } from '../../contract/desk-acts.ts'
import { formatMinute } from '../../lib/dates.ts'
import { ActButton } from './ActButton.tsx'

interface Props {
  customer: Customer
  onDone: () => unknown
}

/** What can be done to an account. */
export function AccountActs({ customer, onDone }: Props) {
  const { id, email, correctedUntil } = customer
  return (
    <>
      <div className="row form-actions">
        {ACCOUNT_ACTS.filter(({ isOffered }) => isOffered?.(customer) ?? true).map(
          ({ act, ...shown }) => (
            <ActButton
              key={shown.label}
              {...shown}
              of={email}
              act={(typed) => act(id, typed)}
              onDone={onDone}
            />
          ),
        )}
      </div>
      {correctedUntil !== null && (
        <p className="row-note">
          The address was corrected. This can be undone until {formatMinute(correctedUntil)}.
        </p>
      )}
    </>
  )
}
