import type { Claims } from '../../../edge-api/domain/account/signed.ts'
import { askRefund, refundQuote } from '../../../edge-api/domain/purchase/ask-refund.ts'
import { useTokens } from '../../../edge-api/domain/tokens/use-tokens.ts'
import { emptyWorld, type EmptyWorld } from './empty-world.ts'
import type { createPurchase } from './purchase.ts'
import { openUnpaidPurchase, paymentFor } from './purchase.ts'
import { callOf, type World } from './world.ts'

/**
 * A plan in INR, as `createPurchase` takes it. Its price is not the catalogue's, so that a new price fails no test of
 * refunds.
 */
export const PLAN_IN_INR = {
  sku: 'pro',
  kind: 'plan',
  accessDays: 365,
  tokens: 1_000_000,
  amountMinor: 299_900,
  currency: 'INR',
} as const

type Overrides = Parameters<typeof createPurchase>[2]

/** An account with a paid purchase, and the calls of its user. */
export async function openPaid(overrides: Overrides = PLAN_IN_INR, given?: EmptyWorld) {
  const world = given ?? (await emptyWorld())
  const opened = await openUnpaidPurchase(overrides, world)
  const payment = paymentFor(opened.purchase)
  await opened.report({ payments: [payment] })
  const { claims, purchase } = opened
  return {
    ...opened,
    world,
    payment,
    use: (amount: number) => use(world, claims, amount),
    quote: (purchaseId = purchase.id) => quote(world, claims, purchaseId),
    ask: (amount: number, purchaseId = purchase.id) => ask(world, claims, { amount, purchaseId }),
    /** Asks for the sum of the quote. */
    askAll: async (purchaseId = purchase.id) => {
      const { amount } = await quote(world, claims, purchaseId)
      return ask(world, claims, { amount, purchaseId })
    },
  }
}

export function use(world: World, claims: Claims, amount: number) {
  const idempotencyKey = crypto.randomUUID()
  return useTokens(world.ctx(), { ...callOf(claims), body: { amount }, idempotencyKey })
}

async function quote(world: World, claims: Claims, purchaseId: string) {
  const { refund } = await refundQuote(world.ctx(), { ...callOf(claims), params: { purchaseId } })
  return refund
}

async function ask(
  world: World,
  claims: Claims,
  { amount, purchaseId }: { amount: number; purchaseId: string },
) {
  const call = { ...callOf(claims), params: { purchaseId }, body: { amount } }
  const { refund } = await askRefund(world.ctx(), call)
  return refund
}
