import { atom } from 'nanostores'
import { deleteAccountEndpoint } from '../contract/credential.ts'
import { AUTH } from '../contract/messages.ts'
import { exportDataEndpoint } from '../contract/notice.ts'
import { PasswordTyped } from '../contract/password.ts'
import { z } from '../contract/zod.ts'
import { createForm } from './form.ts'
import { sentenceOf } from './failure-text.ts'
import type { StoreDeps } from './session.ts'
import type { Confirmed } from './step-up.ts'

interface AccountDataDeps extends StoreDeps {
  /** Downloads a text as a file. */
  saveFile: (name: string, text: string) => void
  confirmed: Confirmed
}

/** Exporting the account's data and deleting the account. */
export function createAccountData({ session, toasts, saveFile, confirmed }: AccountDataDeps) {
  const $isExporting = atom(false)

  async function exportData() {
    if ($isExporting.get()) return
    $isExporting.set(true)
    const result = await confirmed(() => session.call(exportDataEndpoint, {}))
    $isExporting.set(false)
    if (!result.ok) {
      toasts.error(sentenceOf(result))
      return
    }
    const { exportedAt, data } = result.data
    saveFile(
      `account-data-${exportedAt.slice(0, 10)}.json`,
      JSON.stringify({ exportedAt, ...data }, null, 2),
    )
  }

  const deletion = createForm({
    schema: z.object({ password: PasswordTyped }),
    initial: { password: '' },
    passwordField: 'password',
    send: (body) => confirmed(() => session.call(deleteAccountEndpoint, { body })),
    onSuccess: () => {
      toasts.success(AUTH.accountDeleted)
      session.leave()
    },
  })

  return { $isExporting, exportData, deletion }
}
