import { deleteAccountEndpoint } from '../contract/credential.ts'
import { AUTH } from '../contract/messages.ts'
import { PasswordTyped } from '../contract/password.ts'
import { z } from '../contract/zod.ts'
import { createForm } from './form.ts'
import type { ConfirmingDeps } from './session.ts'

/** Deleting the account: with its password, or without where it has none (then the server may ask for a new sign-in). */
export function createAccountDeletion(
  { session, toasts, call }: ConfirmingDeps,
  hasPassword: boolean,
) {
  return createForm({
    schema: hasPassword ? z.object({ password: PasswordTyped }) : z.object({}),
    initial: { password: '' },
    passwordField: 'password',
    send: (body) => call(deleteAccountEndpoint, { body }),
    onSuccess: () => {
      toasts.success(AUTH.accountDeleted)
      session.leave()
    },
  })
}
