import { deps, environment } from '../../stores/browser.ts'
import { createPendingPurchase } from '../../stores/pending-purchase.ts'
import { createPlanPurchase } from '../../stores/plan-purchase.ts'
import { createPlans } from '../../stores/plans.ts'

export const plans = createPlans(deps)
export const planPurchase = createPlanPurchase(deps)
export const pendingPurchase = createPendingPurchase(environment)
