import { type Currency, type Item, majorAmount, PLANS } from '../../../src/contract/catalogue.ts'
import { PURCHASE } from '../../../src/contract/messages.ts'
import { Refusal } from '../refusal.ts'

interface PlanRequest {
  planType: string
  /** Major units; compared, never believed. */
  amount?: number | undefined
  preferredCurrency: Currency
}

/** The plan by its type. INVALID_PLAN_TYPE, or AMOUNT_MISMATCH when the caller saw another price. */
export function requestedPlan({ planType, amount, preferredCurrency }: PlanRequest): Item {
  const plan = PLANS.find(({ sku }) => sku === planType)
  if (plan === undefined) {
    throw new Refusal('INVALID_PLAN_TYPE', PURCHASE.invalidPlanType(planType))
  }
  if (amount !== undefined && amount !== majorAmount(plan.priceMinor[preferredCurrency])) {
    throw new Refusal('AMOUNT_MISMATCH', PURCHASE.amountDiffers)
  }
  return plan
}
