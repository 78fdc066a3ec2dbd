import { atom } from 'nanostores'
import { forgotPasswordEndpoint, ForgotPasswordInput } from '../contract/credential.ts'
import { TOAST } from '../contract/messages.ts'
import { createForm, outcomeOf } from './form.ts'
import type { StoreDeps } from './session.ts'
import { createFormErrors } from './toasts.ts'

/** /forgot-password: the form, then the screen that says where the mail went. */
export function createForgottenPassword({ environment, toasts }: StoreDeps) {
  const $sentTo = atom<string | null>(null)
  const errors = createFormErrors({ toasts })
  const form = createForm({
    schema: ForgotPasswordInput,
    initial: { email: '' },
    onAttempt: errors.clear,
    submit: async (body) => {
      const result = await environment.call(forgotPasswordEndpoint, { body })
      if (!result.ok) {
        errors.show(result.message || TOAST.resetMailFailed)
        return outcomeOf(result)
      }
      toasts.success(TOAST.resetMailSent)
      $sentTo.set(body.email)
      return { ok: true }
    },
  })
  return {
    form,
    $sentTo,
    sendAnother: () => {
      $sentTo.set(null)
    },
  }
}
