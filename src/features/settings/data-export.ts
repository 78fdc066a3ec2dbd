import { stepUp } from '../factors/step-up.ts'
import { createAction } from '../resource/action.ts'
import { sentenceOf } from '../../api/failure-text.ts'
import { environment } from '../../lib/environment.ts'
import { toasts } from '../toasts/toasts.ts'

/** Downloads all data of the account as a file. */
export function createDataExport() {
  return createAction(async () => {
    const result = await stepUp.call('GET /api/auth/export', { isStreamed: true })
    if (!result.ok) {
      toasts.error(sentenceOf(result))
      return
    }
    const { exportedAt, data } = result.data
    environment.saveFile(
      `account-data-${exportedAt.slice(0, 10)}.json`,
      JSON.stringify({ exportedAt, ...data }, null, 2),
      'application/json',
    )
  })
}
