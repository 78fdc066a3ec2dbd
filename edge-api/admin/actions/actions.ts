import { ACCESS_ACTIONS } from './access.ts'
import type { Action } from './action.ts'
import { ADDRESS_ACTIONS } from './correct-address.ts'
import { acknowledgeAlert } from './alert.ts'
import { FLAG_ACTIONS } from './flags.ts'
import { GOODWILL_ACTIONS } from './goodwill.ts'
import { resendMail } from './mail.ts'
import { MONEY_ACTIONS } from './money.ts'
import { REQUEST_ACTIONS } from './requests.ts'
import { SUBMISSION_ACTIONS } from './submission.ts'

/** The actions on an account alone, in the order of their buttons. */
export const ACCOUNT_ACTIONS = [
  ...GOODWILL_ACTIONS,
  ...ACCESS_ACTIONS,
  ...ADDRESS_ACTIONS,
  ...REQUEST_ACTIONS,
]

const ACTIONS: readonly Action[] = [
  ...ACCOUNT_ACTIONS,
  ...MONEY_ACTIONS,
  resendMail,
  acknowledgeAlert,
  ...FLAG_ACTIONS,
  ...SUBMISSION_ACTIONS,
]

/** The action of this kind. To add one, see CONTRIBUTING.md. */
export function actionOf(kind: string): Action | undefined {
  return ACTIONS.find((action) => action.kind === kind)
}
