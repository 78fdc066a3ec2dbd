import { atom } from 'nanostores'
import { FIELD, TOAST } from '../contract/messages.ts'
import { submitTicketEndpoint, TicketInput } from '../contract/support.ts'
import { createAttemptErrors } from './attempt-errors.ts'
import type { Environment } from './environment.ts'
import { createForm } from './form.ts'
import { outcomeOf, toastOf } from './outcome.ts'
import type { Session } from './session.ts'
import type { Toasts } from './toasts.ts'

const BLANK: { email: string; severity: string; isFeatureRequest: boolean; query: string } = {
  email: '',
  severity: 'medium',
  isFeatureRequest: false,
  query: '',
}

interface Parts {
  environment: Environment
  session: Session
  toasts: Toasts
}

/** /contact: the ticket form, then the thank-you screen. */
export function createSupportTicket({ environment, session, toasts }: Parts) {
  const $ticketNumber = atom<string | null>(null)
  const errors = createAttemptErrors(toasts)
  const form = createForm({
    schema: TicketInput,
    initial: BLANK,
    onAttempt: errors.clear,
    submit: async (body) => {
      const result = await environment.call(submitTicketEndpoint, { body })
      if (!result.ok) {
        errors.say(toastOf(result, TOAST.ticketFailed))
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
    if (email.trim() === '' || query.trim() === '') errors.say(FIELD.fillRequired)
    return sending
  }

  /** The address of whoever is signed in, unless another one was typed already. */
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
