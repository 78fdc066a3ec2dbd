import { atom } from 'nanostores'
import { FIELD, TOAST } from '../contract/messages.ts'
import { submitTicketEndpoint, TicketInput } from '../contract/support.ts'
import { createForm, outcomeOf } from './form.ts'
import type { StoreDeps } from './session.ts'
import { createFormErrors } from './toasts.ts'

const BLANK: { email: string; severity: string; isFeatureRequest: boolean; query: string } = {
  email: '',
  severity: 'medium',
  isFeatureRequest: false,
  query: '',
}

/** /contact: the ticket form, then the thank-you screen. */
export function createSupportTicket({ environment, session, toasts }: StoreDeps) {
  const $ticketNumber = atom<string | null>(null)
  const errors = createFormErrors({ toasts })
  const form = createForm({
    schema: TicketInput,
    initial: BLANK,
    onAttempt: errors.clear,
    submit: async (body) => {
      const result = await environment.call(submitTicketEndpoint, { body })
      if (!result.ok) {
        errors.show(result.message || TOAST.ticketFailed)
        return outcomeOf(result)
      }
      toasts.success(TOAST.ticketSent)
      $ticketNumber.set(result.data.ticketNumber)
      return { ok: true }
    },
  })

  function submit() {
    const { email, query } = form.$form.get().values
    const sending = form.submit()
    if (email.trim() === '' || query.trim() === '') errors.show(FIELD.fillRequired)
    return sending
  }

  /** Fills in the address of the signed-in user, unless an address was typed already. */
  async function prefill() {
    const { user } = await session.whenKnown()
    if (user !== null && form.$form.get().values.email === '') form.setValue('email', user.email)
  }

  return {
    ...form,
    submit,
    prefill,
    $ticketNumber,
    submitAnother: () => {
      form.reset()
      $ticketNumber.set(null)
      void prefill()
    },
  }
}
