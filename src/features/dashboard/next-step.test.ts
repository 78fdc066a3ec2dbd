import { expect, test } from 'vitest'
import { nextStepOf, type Usage } from './next-step.ts'

const NO_MODE = { interview: 0, meeting: 0, sales: 0, negotiation: 0 }

function usage(tokens: number[], hasDesktopApp = false, isTrialOn = false): Usage {
  const days = tokens.map((count, index) => ({
    day: `2026-11-0${index + 1}`,
    tokens: count,
    byMode: NO_MODE,
  }))
  return { days, newcomer: { hasDesktopApp, isTrialOn } }
}

function user(used: number, total: number, { isEmailVerified = true, isRefunded = false } = {}) {
  const status = isRefunded ? ('past_due' as const) : ('active' as const)
  return { isEmailVerified, tokens: { used, total }, subscription: { status } }
}

const QUIET = usage([0, 0, 0])

test.each([
  ['refunded', user(5, 5, { isRefunded: true }), null],
  ['verify', user(0, 0, { isEmailVerified: false }), null],
  ['verify', user(50, 100, { isEmailVerified: false }), usage([1, 1, 1])],
  ['wait', user(0, 0), null],
  ['no-trial', user(0, 0), QUIET],
  ['used-up', user(100, 100), null],
  ['wait', user(0, 100), null],
  ['get-app', user(0, 100), QUIET],
  ['ask', user(0, 100), usage([0, 0, 0], true)],
  ['idle', user(50, 100), QUIET],
  ['begun', user(50, 100), usage([0, 0, 50])],
  ['lasts', user(90, 1_000), usage([30, 30, 30])],
  ['runs-out', user(90, 510), usage([30, 30, 30])],
  ['runs-out', user(90, 120), usage([30, 30, 30])],
  ['runs-out-today', user(90, 119), usage([30, 30, 30])],
] as const)('says %s', (kind, of, used) => {
  expect(nextStepOf(of, used)).toMatchObject({ kind })
})

test('after a refund the app is next while there are tokens for it and no app is connected', () => {
  const stepOf = (used: number, total: number, loaded: Usage | null) =>
    nextStepOf(user(used, total, { isRefunded: true }), loaded)
  expect(stepOf(0, 100, null)).toEqual({ kind: 'refunded', needsApp: true })
  expect(stepOf(5, 100, QUIET)).toEqual({ kind: 'refunded', needsApp: true })
  expect(stepOf(5, 100, null)).toEqual({ kind: 'refunded', needsApp: false })
  expect(stepOf(0, 100, usage([0], true))).toEqual({ kind: 'refunded', needsApp: false })
  expect(stepOf(5, 5, QUIET)).toEqual({ kind: 'refunded', needsApp: false })
})

test('promises tokens for verifying only once the server says that it gives them', () => {
  const unverified = user(0, 0, { isEmailVerified: false })
  expect(nextStepOf(unverified, null)).toEqual({ kind: 'verify', isTrialOn: false })
  expect(nextStepOf(unverified, QUIET)).toEqual({ kind: 'verify', isTrialOn: false })
  const given = usage([0], false, true)
  expect(nextStepOf(unverified, given)).toEqual({ kind: 'verify', isTrialOn: true })
})
