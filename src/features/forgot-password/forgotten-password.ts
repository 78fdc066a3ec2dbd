import { atom } from 'nanostores'
import { ForgotPasswordInput } from '../../contract/credential.ts'
import { TOAST } from '../../contract/messages.ts'
import { environment } from '../../lib/environment.ts'
import { createFailureToast, createForm } from '../form/form.ts'
import { toasts } from '../toasts/toasts.ts'

/** /forgot-password: the form, then the screen that says where the mail went. */
export function createForgottenPassword() {
  const $sentTo = atom<string | null>(null)
  const form = createForm({
    schema: ForgotPasswordInput,
    initial: { email: '' },
    ...createFailureToast(TOAST.resetMailFailed),
    send: (body) => environment.call('POST /api/auth/forgot-password', { body }),
    onSuccess: (_, { email }) => {
      toasts.success(TOAST.resetMailSent)
      $sentTo.set(email)
    },
  })
  return {
    form,
    $sentTo,
    sendAnother: () => {
      $sentTo.set(null)
      form.focus('email')
    },
  }
}
