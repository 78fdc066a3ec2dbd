import { expect, test } from 'vitest'
import { planDay, STATUS_BADGE } from './plan-words.ts'

test('each status has its badge and colour', () => {
  expect(Object.values(STATUS_BADGE).map(({ text, tone }) => `${text} ${tone}`)).toEqual([
    'Active green',
    'Inactive gray',
    'Ended red',
    'Cancelled orange',
  ])
})

test('the day of a plan is its end, and of one that was reversed that day', () => {
  const plan = { currentPeriodEnd: '2027-01-05', cancelAtPeriodEnd: false, takenBackAt: null }
  expect(planDay(plan)).toEqual({ word: 'Runs until', day: '2027-01-05' })
  expect(planDay({ ...plan, cancelAtPeriodEnd: true })?.word).toBe('Ends on')
  const takenBackAt = '2026-11-05'
  expect(planDay({ ...plan, takenBackAt })).toEqual({ word: 'Ended on', day: takenBackAt })
  expect(planDay({ ...plan, currentPeriodEnd: null })).toBeNull()
})
