import { session } from '../session/session.ts'
import { createResend } from './verification-mail.ts'
import { createLastPurchases } from '../purchases/last-purchases.ts'
import { createResource } from '../resource/resource.ts'

const USAGE_DAYS = 30

/** Tokens used per day, and the totals of the assistant's sessions. */
export const usage = createResource(() =>
  session.call('GET /api/usage', { query: { days: USAGE_DAYS } }),
)
export const purchases = createLastPurchases()
export const resend = createResend()

/** Loads what the page shows besides the user. */
export function loadDashboard() {
  void usage.load()
  void purchases.load()
}
