import { expect, test } from 'vitest'
import { aPayment } from '../../../tests/stores/samples.ts'
import type { Purchase } from '../../contract/receipt.ts'
import { planName } from '../../lib/plan-words.ts'
import { whyEnded } from './plan-ended.ts'

const NAME = planName('pro')
const PLAN = { plan: 'pro', takenBackAt: '2026-11-20T10:00:00.000Z' }

/** A purchase of the plan. `paidAt` is null for one that brought no tokens. */
function bought(state: Purchase['state'], changes: Partial<Purchase> = {}): Purchase {
  const nothing = { receiptNumber: null, method: null, refundableUntil: null, refund: null }
  const paid = {
    ...aPayment('paid'),
    item: NAME,
    paidAt: '2026-11-19T10:00:00.000Z',
  }
  return {
    ...paid,
    ...nothing,
    state,
    amountRefunded: 0,
    amount: 3_500,
    currency: 'USD',
    ...changes,
  }
}

const sentBack = bought('refunded', { paidAt: null, amountRefunded: 1_000 })

test.each([
  [bought('refunded', { amountRefunded: 3_500 }), `We refunded $35.00 for ${NAME} on`],
  [bought('refund_requested'), `A refund was requested for ${NAME} on`],
  [bought('charged_back'), `Your bank returned the payment of ${NAME} on`],
  [bought('disputed'), 'The plan stops until that is decided.'],
])('a payment of the plan that was sent back says nothing of its end', (ended, why) => {
  expect(whyEnded(PLAN, [sentBack, ended])).toContain(why)
})

test('without the purchase that paid, the end is only named', () => {
  expect(whyEnded(PLAN, [sentBack])).toContain(`The plan ended: ${NAME} on`)
})
