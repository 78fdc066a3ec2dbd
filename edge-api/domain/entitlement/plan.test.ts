import { expect, test } from 'vitest'
import { days } from '../time.ts'
import { type PaidPlan, subscriptionOf } from './plan.ts'

const NOW = Date.UTC(2026, 10, 2)
const PLAN: PaidPlan = {
  planSku: 'pro',
  planPaidAt: NOW - days(100),
  planAccessDays: 365,
  planCancelledAt: null,
  planReversedAt: null,
}
const OVER = { ...PLAN, planPaidAt: NOW - days(365) }
const JUST = { ...PLAN, planPaidAt: OVER.planPaidAt + 1 }
const CANCELLED = { planCancelledAt: NOW - days(1) }

test.each<[string, PaidPlan, string]>([
  ['nothing that was ever paid', { ...PLAN, planPaidAt: null }, 'inactive'],
  ['a plan inside its period', PLAN, 'active'],
  ['a plan in its last millisecond', JUST, 'active'],
  ['a plan past its period', OVER, 'inactive'],
  ['a cancelled plan inside its period', { ...PLAN, ...CANCELLED }, 'active'],
  ['a cancelled plan past its period', { ...OVER, ...CANCELLED }, 'cancelled'],
  ['a plan whose payment was taken back', { ...PLAN, planReversedAt: NOW }, 'past_due'],
])('the subscription of %s is %s', (_, plan, status) => {
  expect(subscriptionOf(plan, NOW).status).toBe(status)
})

test('the subscription names its period, and whether the plan ends with it', () => {
  expect(subscriptionOf({ ...PLAN, ...CANCELLED }, NOW)).toMatchObject({
    plan: 'pro',
    currentPeriodStart: '2026-07-25T00:00:00.000Z',
    currentPeriodEnd: '2027-07-25T00:00:00.000Z',
    cancelAtPeriodEnd: true,
  })
  expect(subscriptionOf({ ...OVER, ...CANCELLED }, NOW).cancelAtPeriodEnd).toBe(false)
})
