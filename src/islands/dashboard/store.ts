import { usageEndpoint } from '../../contract/usage.ts'
import { deps, session } from '../../stores/browser.ts'
import { createResend } from '../../stores/email-verification.ts'
import { createPurchases } from '../../stores/purchases.ts'
import { createResource } from '../../stores/resource.ts'

const USAGE_DAYS = 30
const SHOWN_PURCHASES = 5

/** Tokens used per day, and the totals of the assistant's sessions. */
export const usage = createResource(() =>
  session.call(usageEndpoint, { query: { days: USAGE_DAYS } }),
)
export const purchases = createPurchases({ ...deps, pageSize: SHOWN_PURCHASES })
export const resend = createResend(deps)

export function loadDashboard() {
  void usage.load()
  void purchases.load()
}
