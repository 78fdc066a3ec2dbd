import { environment, session, toasts } from '../../stores/browser.ts'
import { createPendingPurchase } from '../../stores/pending-purchase.ts'
import { createPlanPurchase } from '../../stores/plan-purchase.ts'
import { createPlans } from '../../stores/plans.ts'

export const plans = createPlans(environment, toasts)
export const planPurchase = createPlanPurchase({ environment, session, toasts })
export const pendingPurchase = createPendingPurchase(environment)
