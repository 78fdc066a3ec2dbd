import { deps, session } from '../../stores/browser.ts'
import { createResend } from '../../stores/verification-mail.ts'
import { createLastPurchases } from '../../stores/last-purchases.ts'
import { createResource } from '../../stores/resource.ts'

const USAGE_DAYS = 30

/** Tokens used per day, and the totals of the assistant's sessions. */
export const usage = createResource(() =>
  session.call('GET /api/usage', { query: { days: USAGE_DAYS } }),
)
export const purchases = createLastPurchases(deps)
export const resend = createResend(deps)

export function loadDashboard() {
  void usage.load()
  void purchases.load()
}
