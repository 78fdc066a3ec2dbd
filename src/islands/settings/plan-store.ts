import { session, toasts } from '../../stores/browser.ts'
import { createPlanSettings } from '../../stores/plan-settings.ts'
import { createPurchases } from '../../stores/purchases.ts'

const PAGE_SIZE = 20

export const planSettings = createPlanSettings(session, toasts)
export const purchases = createPurchases(session, PAGE_SIZE)
