import { atom } from 'nanostores'
import { FIELD } from '../../contract/field-messages.ts'
import { TOAST } from '../../contract/messages.ts'
import { PasswordReset } from '../../contract/password.ts'
import { z } from '../../contract/zod.ts'
import { environment } from '../../lib/environment.ts'
import { createFailureToast, createForm } from '../form/form.ts'
import { mailedToken } from '../../lib/mailed-token.ts'
import { createRedirect } from '../../lib/redirect.ts'
import { toasts } from '../toasts/toasts.ts'

const REDIRECT_MS = 3_000

/** The values of the form: the contract's password, typed twice. */
const PasswordResetForm = z
  .object({
    password: PasswordReset,
    confirmPassword: z.string().min(1, FIELD.confirmPasswordRequired),
  })
  .refine((form) => form.password === form.confirmPassword, {
    path: ['confirmPassword'],
    error: FIELD.passwordsDiffer,
  })

/** /reset-password/{token}: a new password, a success screen, then /login. */
export function createPasswordReset() {
  const $isDone = atom(false)
  const redirect = createRedirect(() => environment.navigate('/login'))
  /** The reason why the link is invalid; null while the page knows of none. */
  const $rejection = atom<string | null>(null)

  /** Whose password the link sets; empty until the server has said it. */
  const $email = atom('')

  /** Checks the link when the page opens. Without an answer the form stays, and submitting it checks again. */
  async function checkLink() {
    const token = mailedToken()
    if (token === null) return
    const params = { token }
    const result = await environment.call('GET /api/auth/reset-password/{token}', { params })
    if (result.ok) $email.set(result.data.email)
    else if (result.code === 'LINK_INVALID') $rejection.set(result.message)
  }

  const toast = createFailureToast(TOAST.resetFailed)
  const form = createForm({
    schema: PasswordResetForm,
    initial: { password: '', confirmPassword: '' },
    onAttempt: toast.onAttempt,
    send: ({ password }) => {
      const params = { token: mailedToken() ?? '' }
      return environment.call('POST /api/auth/reset-password/{token}', {
        params,
        body: { password },
      })
    },
    onFailure: (failure) => {
      toast.onFailure(failure)
      if (failure.code === 'LINK_INVALID') $rejection.set(failure.message)
    },
    onSuccess: () => {
      toasts.success(TOAST.passwordReset)
      $isDone.set(true)
      redirect.startIn(REDIRECT_MS)
    },
  })
  return { form, $email, $isDone, $rejection, checkLink, redirect }
}
