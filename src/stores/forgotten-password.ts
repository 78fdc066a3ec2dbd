import { atom } from 'nanostores'
import { forgotPasswordEndpoint, ForgotPasswordInput } from '../contract/credential.ts'
import { TOAST } from '../contract/messages.ts'
import { createAttemptErrors } from './attempt-errors.ts'
import type { Environment } from './environment.ts'
import { createForm } from './form.ts'
import { outcomeOf, toastOf } from './outcome.ts'
import type { Toasts } from './toasts.ts'

/** /forgot-password: the form, then the screen that says where the mail went. */
export function createForgottenPassword(environment: Environment, toasts: Toasts) {
  const $sentTo = atom<string | null>(null)
  const errors = createAttemptErrors(toasts)
  const form = createForm({
    schema: ForgotPasswordInput,
    initial: { email: '' },
    onAttempt: errors.clear,
    submit: async (body) => {
      const result = await environment.call(forgotPasswordEndpoint, { body })
      if (!result.ok) {
        errors.say(toastOf(result, TOAST.resetMailFailed))
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
