import { expect, test } from 'vitest'
import { days } from '../time.ts'
import { type PaidPlan, subscriptionState } from './plan.ts'

const NOW = Date.UTC(2026, 10, 2)
const PLAN: PaidPlan = {
  sku: 'pro',
  paidAt: NOW - days(100),
  accessDays: 365,
  cancelledAt: null,
  takenBackAt: null,
}
const OVER = { ...PLAN, paidAt: NOW - days(365) }
const CANCELLED = { cancelledAt: NOW - days(1) }

test.each<[string, PaidPlan | null, string]>([
  ['nothing was ever paid', null, 'inactive'],
  ['a plan inside its period', PLAN, 'active'],
  ['a plan in its last millisecond', { ...OVER, paidAt: OVER.paidAt + 1 }, 'active'],
  ['a plan past its period', OVER, 'inactive'],
  ['a cancelled plan inside its period', { ...PLAN, ...CANCELLED }, 'active'],
  ['a cancelled plan past its period', { ...OVER, ...CANCELLED }, 'cancelled'],
  ['a plan whose payment was taken back', { ...PLAN, takenBackAt: NOW }, 'past_due'],
])('the subscription of %s is %s', (_, plan, status) => {
  expect(subscriptionState(plan, NOW).status).toBe(status)
})

test('the subscription names its period, and whether the plan ends with it', () => {
  expect(subscriptionState({ ...PLAN, ...CANCELLED }, NOW)).toMatchObject({
    plan: 'pro',
    currentPeriodStart: '2026-07-25T00:00:00.000Z',
    currentPeriodEnd: '2027-07-25T00:00:00.000Z',
    cancelAtPeriodEnd: true,
  })
  expect(subscriptionState({ ...OVER, ...CANCELLED }, NOW).cancelAtPeriodEnd).toBe(false)
})
