import type { CallEndpoint } from '../api/call-endpoint.ts'
import { deleteAccountEndpoint } from '../contract/credential.ts'
import { AUTH } from '../contract/messages.ts'
import { exportDataEndpoint } from '../contract/notice.ts'
import { PasswordTyped } from '../contract/password.ts'
import { z } from '../contract/zod.ts'
import { createAction } from './action.ts'
import { sentenceOf } from './failure-text.ts'
import { createForm } from './form.ts'
import type { StoreDeps } from './session.ts'

interface AccountDataDeps extends StoreDeps {
  /** Asks for a confirmation where the server wants one. */
  call: CallEndpoint
  /** Downloads a text as a file. */
  saveFile: (name: string, text: string) => void
}

/** Exporting the account's data and deleting the account. */
export function createAccountData({ session, toasts, call, saveFile }: AccountDataDeps) {
  const dataExport = createAction(async () => {
    const result = await call(exportDataEndpoint, {})
    if (!result.ok) {
      toasts.error(sentenceOf(result))
      return
    }
    const { exportedAt, data } = result.data
    saveFile(
      `account-data-${exportedAt.slice(0, 10)}.json`,
      JSON.stringify({ exportedAt, ...data }, null, 2),
    )
  })

  const onDeleted = () => {
    toasts.success(AUTH.accountDeleted)
    session.leave()
  }

  const deletion = createForm({
    schema: z.object({ password: PasswordTyped }),
    initial: { password: '' },
    passwordField: 'password',
    send: (body) => call(deleteAccountEndpoint, { body }),
    onSuccess: onDeleted,
  })

  const deletionWithoutPassword = createAction(async () => {
    const result = await call(deleteAccountEndpoint, { body: {} })
    if (result.ok) onDeleted()
    else toasts.error(sentenceOf(result))
  })

  return { dataExport, deletion, deletionWithoutPassword }
}
