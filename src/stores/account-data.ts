import { atom } from 'nanostores'
import { deleteAccountEndpoint } from '../contract/credential.ts'
import { AUTH } from '../contract/messages.ts'
import { exportDataEndpoint } from '../contract/notice.ts'
import { PasswordTyped } from '../contract/password.ts'
import { z } from '../contract/zod.ts'
import { createForm, passwordOutcomeOf } from './form.ts'
import { sentenceOf } from './failure-text.ts'
import type { StoreDeps } from './session.ts'

interface AccountDataDeps extends StoreDeps {
  /** Downloads a text as a file. */
  saveFile: (name: string, text: string) => void
}

/** Exporting the account's data and deleting the account. */
export function createAccountData({ session, toasts, saveFile }: AccountDataDeps) {
  const $isExporting = atom(false)

  async function exportData() {
    if ($isExporting.get()) return
    $isExporting.set(true)
    const result = await session.call(exportDataEndpoint, {})
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
    submit: async (body) => {
      const result = await session.call(deleteAccountEndpoint, { body })
      if (!result.ok) return passwordOutcomeOf(result, 'password')
      toasts.success(AUTH.accountDeleted)
      session.leave()
      return { ok: true }
    },
  })

  return { $isExporting, exportData, deletion }
}
