import { expect, test } from 'vitest'
import type { CallEndpoint } from '../../api/call-endpoint.ts'
import { FACTOR } from '../../contract/factor.ts'
import { exportDataEndpoint } from '../../contract/data-export.ts'
import { sessionsEndpoint } from '../../contract/session.ts'
import { createConfirmation } from './confirmation.ts'
import { createStepUp } from './step-up.ts'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'

/** Two calls at once, both refused until the user has confirmed who they are. */
async function callTwice() {
  const { server, session } = await createStoreFixture({ isSignedIn: true })
  server.refuse(sessionsEndpoint, 'STEP_UP_REQUIRED', FACTOR.stepUp)
  server.answer(sessionsEndpoint, { sessions: [] })
  server.refuse(exportDataEndpoint, 'STEP_UP_REQUIRED', FACTOR.stepUp)
  server.answer(exportDataEndpoint, { exportedAt: '2026-11-21T10:00:00.000Z', data: { user: {} } })
  let refused = 0
  const send: CallEndpoint = async (endpoint, input) => {
    const result = await session.call(endpoint, input)
    if (!result.ok) refused += 1
    return result
  }
  const { $pending, call, finish } = createStepUp(send)
  const results = Promise.all([
    call('GET /api/auth/sessions', {}),
    call('GET /api/auth/export', {}),
  ])
  await expect.poll(() => refused).toBe(2)
  return { $pending, finish, results }
}

test('one confirmation serves all calls that wait for it', async () => {
  const { $pending, finish, results } = await callTwice()
  expect($pending.get()).not.toBeNull()
  finish(true)
  expect((await results).map(({ ok }) => ok)).toEqual([true, true])
  expect($pending.get()).toBeNull()
})

test('closing the dialog refuses all calls that wait for it', async () => {
  const { $pending, finish, results } = await callTwice()
  finish(false)
  expect((await results).map(({ ok }) => ok)).toEqual([false, false])
  expect($pending.get()).toBeNull()
})

test('confirming with Google signs out, and leads back to this page', async () => {
  const fixture = await createStoreFixture({ isSignedIn: true })
  createConfirmation({ onConfirmed: () => undefined }).signInAgain()
  expect(fixture.token()).toBeNull()
  expect(fixture.went).toEqual(['/api/auth/google/start?next=%2Fdashboard'])
})
