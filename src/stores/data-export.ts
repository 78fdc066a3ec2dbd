import { createAction } from './action.ts'
import { sentenceOf } from './failure-text.ts'
import type { ConfirmingDeps } from './session.ts'

interface DataExportDeps extends ConfirmingDeps {
  /** Downloads a text as a file. */
  saveFile: (name: string, text: string) => void
}

/** Downloads all data of the account as a file. */
export function createDataExport({ toasts, call, saveFile }: DataExportDeps) {
  return createAction(async () => {
    const result = await call('GET /api/auth/export', { isStreamed: true })
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
}
