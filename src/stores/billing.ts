import type { User } from '../contract/account.ts'
import { BillingDetails, updateBillingEndpoint } from '../contract/billing.ts'
import { AUTH } from '../contract/messages.ts'
import { createForm } from './form.ts'
import type { StoreDeps } from './session.ts'

const EMPTY = { place: '', name: '', address: '', gstin: '' }

/** For whom receipts are made out. */
export function createBilling({ session, toasts }: StoreDeps) {
  const form = createForm({
    schema: BillingDetails,
    initial: EMPTY,
    send: (body) => session.call(updateBillingEndpoint, { body }),
    onSuccess: ({ user }) => {
      session.setUser(user)
      toasts.success(AUTH.profileSaved)
    },
  })
  return {
    form,
    /** Fills the form with what is stored. */
    show: ({ billing }: User) => {
      form.reset(billing ?? EMPTY)
    },
  }
}
