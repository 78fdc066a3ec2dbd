import { atom } from 'nanostores'
import { FIELD } from '../../contract/field-messages.ts'
import { TOAST } from '../../contract/messages.ts'
import { TicketInput } from '../../contract/support.ts'
import { createFailureToast, createForm } from '../form/form.ts'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

const { severity, ...defaults } = TicketInput.parse({ email: 'nobody@example.com', query: '?' })
/** The contract's defaults, with nothing typed. */
const BLANK = { ...defaults, severity: String(severity), email: '', query: '' }

/** /contact: the ticket form, then the thank-you screen. */
export function createSupportTicket() {
  const $ticketNumber = atom<string | null>(null)
  const toast = createFailureToast(TOAST.ticketFailed)
  const form = createForm({
    schema: TicketInput,
    initial: BLANK,
    keptAs: 'ticket',
    ...toast,
    onInvalid: () => {
      const { email, query } = form.$form.get().values
      if (email.trim() === '' || query.trim() === '') toast.show(FIELD.fillRequired)
    },
    send: (body) => session.call('POST /api/support/submit', { body }),
    onSuccess: ({ ticketNumber }) => {
      toasts.success(TOAST.ticketSent)
      $ticketNumber.set(ticketNumber)
    },
  })

  /** Fills in the address of the signed-in user, unless the field already has an address. */
  async function prefill() {
    const { user } = await session.whenKnown()
    if (user !== null && form.$form.get().values.email === '') form.setValue('email', user.email)
  }

  return {
    ...form,
    prefill,
    $ticketNumber,
    submitAnother: () => {
      form.reset()
      form.focus('query')
      $ticketNumber.set(null)
      void prefill()
    },
  }
}
