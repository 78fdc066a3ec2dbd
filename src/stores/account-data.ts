import { atom } from 'nanostores'
import { deleteAccountEndpoint } from '../contract/credential.ts'
import { AUTH } from '../contract/messages.ts'
import { exportDataEndpoint } from '../contract/notice.ts'
import { PasswordTyped } from '../contract/password.ts'
import { z } from '../contract/zod.ts'
import { createForm } from './form.ts'
import { sentenceOf } from './outcome.ts'
import { wrongPasswordOf } from './password-change.ts'
import type { Session } from './session.ts'
import type { Toasts } from './toasts.ts'

interface Parts {
  session: Session
  toasts: Toasts
  /** Hands a text to the person as a file. */
  saveFile: (name: string, text: string) => void
}

/** Taking one's data along, and leaving. */
export function createAccountData({ session, toasts, saveFile }: Parts) {
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
      if (!result.ok) return wrongPasswordOf(result, 'password')
      toasts.success(AUTH.accountDeleted)
      session.leave()
      return { ok: true }
    },
  })

  return { $isExporting, exportData, deletion }
}
