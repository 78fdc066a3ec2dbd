import { deleteAccountEndpoint } from '../contract/credential.ts'
import { AUTH } from '../contract/messages.ts'
import { PasswordTyped } from '../contract/password.ts'
import { z } from '../contract/zod.ts'
import { createAction } from './action.ts'
import { sentenceOf } from './failure-text.ts'
import { createForm } from './form.ts'
import type { ConfirmingDeps } from './session.ts'

/** Deleting the account: with its password, or without where it has none. */
export function createAccountDeletion({ session, toasts, call }: ConfirmingDeps) {
  const onDeleted = () => {
    toasts.success(AUTH.accountDeleted)
    session.leave()
  }

  const form = createForm({
    schema: z.object({ password: PasswordTyped }),
    initial: { password: '' },
    passwordField: 'password',
    send: (body) => call(deleteAccountEndpoint, { body }),
    onSuccess: onDeleted,
  })

  const withoutPassword = createAction(async () => {
    const result = await call(deleteAccountEndpoint, { body: {} })
    if (result.ok) onDeleted()
    else toasts.error(sentenceOf(result))
  })

  return { form, withoutPassword }
}
