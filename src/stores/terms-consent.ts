import { acceptTermsEndpoint } from '../contract/account.ts'
import { createAction } from './action.ts'
import { sentenceOf } from './failure-text.ts'
import type { StoreDeps } from './session.ts'

/** Accepts the current terms for the signed-in user. */
export function createTermsConsent({ session, toasts }: StoreDeps) {
  return createAction(async () => {
    const result = await session.call(acceptTermsEndpoint, {})
    if (result.ok) session.setUser(result.data.user)
    else toasts.error(sentenceOf(result))
  })
}
