import { deleteAccountEndpoint } from '../contract/credential.ts'
import { AUTH } from '../contract/messages.ts'
import { PasswordTyped } from '../contract/password.ts'
import { z } from '../contract/zod.ts'
import { createForm } from './form.ts'
import type { ConfirmingDeps } from './session.ts'

/** Deleting the account: with its password, or without where it has none. */
export function createAccountDeletion({ session, toasts, call }: ConfirmingDeps) {
  const onDeleted = () => {
    toasts.success(AUTH.accountDeleted)
    session.leave()
  }

  const withPassword = createForm({
    schema: z.object({ password: PasswordTyped }),
    initial: { password: '' },
    passwordField: 'password',
    send: (body) => call(deleteAccountEndpoint, { body }),
    onSuccess: onDeleted,
  })

  const withoutPassword = createForm({
    schema: z.object({}),
    initial: {},
    send: (body) => call(deleteAccountEndpoint, { body }),
    onSuccess: onDeleted,
  })

  return { withPassword, withoutPassword }
}
