import { atom } from 'nanostores'
import { FIELD, TOAST } from '../contract/messages.ts'
import { submitTicketEndpoint, TicketInput } from '../contract/support.ts'
import type { Environment } from './environment.ts'
import { createForm } from './form.ts'
import { outcomeOf, toastOf } from './outcome.ts'
import type { Toasts } from './toasts.ts'

const BLANK: { email: string; severity: string; isFeatureRequest: boolean; query: string } = {
  email: '',
  severity: 'medium',
  isFeatureRequest: false,
  query: '',
}

/** /contact: the ticket form, then the thank-you screen. */
export function createSupportTicket(environment: Environment, toasts: Toasts) {
  const $ticketNumber = atom<string | null>(null)
  const form = createForm({
    schema: TicketInput,
    initial: BLANK,
    submit: async (body) => {
      const result = await environment.call(submitTicketEndpoint, { body })
      if (!result.ok) {
        toasts.error(toastOf(result, TOAST.ticketFailed))
        return outcomeOf(result)
      }
      toasts.success(TOAST.ticketSent)
      $ticketNumber.set(result.data.ticketNumber)
      return { ok: true }
    },
  })

  function submit() {
    const { email, query } = form.$form.get().values
    if (email.trim() === '' || query.trim() === '') toasts.error(FIELD.fillRequired)
    return form.submit()
  }

  return {
    ...form,
    submit,
    $ticketNumber,
    submitAnother: () => {
      form.reset()
      $ticketNumber.set(null)
    },
  }
}
