import type { User } from '../../contract/account.ts'
import { BillingDetails } from '../../contract/billing.ts'
import { AUTH } from '../../contract/messages.ts'
import { createForm } from '../form/form.ts'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

const EMPTY = { place: '', name: '', address: '', gstin: '' }

interface BillingDeps {
  /** Called when the details are stored; a toast says so when it is left out. */
  onSaved?: () => void
  /** What the form has as the place at first. */
  place?: string
}

/** For whom receipts are made out. */
export function createBilling({ onSaved, place = '' }: BillingDeps = {}) {
  const form = createForm({
    schema: BillingDetails,
    initial: { ...EMPTY, place },
    send: (body) => session.call('PATCH /api/auth/billing', { body }),
    onSuccess: ({ user }) => {
      session.setUser(user)
      if (onSaved === undefined) toasts.success(AUTH.profileSaved)
      else onSaved()
    },
  })
  return {
    form,
    /** Fills the form with what is stored. */
    show: ({ billing }: User) => form.reset(billing ?? EMPTY),
  }
}

export type Billing = ReturnType<typeof createBilling>
