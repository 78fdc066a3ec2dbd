import { session, toasts } from '../../stores/browser.ts'
import { createPurchases } from '../../stores/purchases.ts'
import { createResend, createUsage } from '../../stores/usage.ts'

const SHOWN_PURCHASES = 5

export const usage = createUsage(session)
export const purchases = createPurchases(session, SHOWN_PURCHASES)
export const resend = createResend(session, toasts)

export function loadDashboard() {
  void usage.load()
  void purchases.load()
}
