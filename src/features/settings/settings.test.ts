import { expect, test } from 'vitest'
import { aPlan, aUser } from '../../../tests/stores/samples.ts'
import { exampleOf } from '../../../site/openapi/examples.ts'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'
import { updatePreferencesEndpoint } from '../../contract/account.ts'
import { resendVerificationEndpoint } from '../../contract/credential.ts'
import { factorsEndpoint, removePasskeyEndpoint } from '../../contract/factor.ts'
import { SERVER } from '../../contract/messages.ts'
import { noticesEndpoint, readNoticesEndpoint } from '../../contract/notice.ts'
import {
  cancelSubscriptionEndpoint,
  currentSubscriptionEndpoint,
} from '../../contract/subscription.ts'
import type { CallResult } from '../../api/call-endpoint.ts'
import { createResource } from '../resource/resource.ts'
import { createResend } from '../dashboard/store.ts'
import { createFactors } from './factors.ts'
import { createNotices } from '../notices/notices.ts'
import { createPlanSettings } from './plan-settings.ts'
import { createPreferences } from './preferences.ts'

test('a preference shows at once and reverts when saving fails', async () => {
  const { server, ...fixture } = await createStoreFixture({ isSignedIn: true })
  const preferences = createPreferences()
  server.cutOff(updatePreferencesEndpoint)
  const saving = preferences.change({ theme: 'dark' })
  expect(fixture.session.$session.get().user?.preferences.theme).toBe('dark')
  await saving
  expect(fixture.session.$session.get().user?.preferences.theme).toBe('system')
  expect(fixture.themes).toEqual(['dark', 'system'])
})

test('the answer about one preference leaves another as it was set meanwhile', async () => {
  const { server, session } = await createStoreFixture({ isSignedIn: true })
  const { change } = createPreferences()
  const user = aUser()
  const setMeanwhile = (currency: 'INR' | 'USD') =>
    session.setUser({ ...user, preferences: { ...user.preferences, theme: 'dark', currency } })
  server.answer(updatePreferencesEndpoint, { user })
  server.cutOff(updatePreferencesEndpoint)
  for (const [currency, theme] of [
    ['INR', 'dark'],
    ['USD', 'system'],
  ] as const) {
    const changing = change({ theme: 'dark' })
    setMeanwhile(currency)
    await changing
    expect(session.$session.get().user?.preferences).toMatchObject({ theme, currency })
    session.setUser(user)
  }
})

const cancelled = { ...aPlan().subscription, cancelAtPeriodEnd: true }

test('cancelling a plan shows a toast, and so does a failure', async () => {
  const { server, said } = await createStoreFixture({ isSignedIn: true })
  const plan = createPlanSettings()
  server.answer(currentSubscriptionEndpoint, aPlan())
  server.cutOff(cancelSubscriptionEndpoint)
  server.answer(cancelSubscriptionEndpoint, { subscription: cancelled })
  await plan.load()
  await plan.cancel()
  await plan.cancel()
  expect(said()).toEqual([
    'error: Failed to cancel subscription',
    'success: Subscription will be cancelled at the end of the billing period',
  ])
  expect(plan.$plan.get().data?.subscription.cancelAtPeriodEnd).toBe(true)
})

test('a plan changed while it loads again stays as changed', async () => {
  const answer = Promise.withResolvers<CallResult<string>>()
  const { $resource, load, put } = createResource(() => answer.promise)
  const loading = load()
  put('cancelled')
  answer.resolve({ ok: true, data: 'active' })
  await loading
  expect($resource.get()).toEqual({ status: 'ready', data: 'cancelled' })
})

test('cancelling before the plan has loaded loads it', async () => {
  const { server } = await createStoreFixture({ isSignedIn: true })
  const plan = createPlanSettings()
  server.answer(cancelSubscriptionEndpoint, { subscription: cancelled })
  server.answer(currentSubscriptionEndpoint, { ...aPlan(), subscription: cancelled })
  await plan.cancel()
  expect(plan.$plan.get().data?.subscription.cancelAtPeriodEnd).toBe(true)
})

test('a second step whose removal has lost its answer leaves the list with the next try', async () => {
  const { server } = await createStoreFixture({ isSignedIn: true })
  const { factors, removePasskey } = createFactors({ onChanged: () => undefined })
  const listed = factorsEndpoint.success.parse(exampleOf(factorsEndpoint).success)
  server.answer(factorsEndpoint, listed)
  server.answer(factorsEndpoint, { ...listed, passkeys: [] })
  server.cutOff(removePasskeyEndpoint)
  server.refuse(removePasskeyEndpoint, 'NOT_FOUND', SERVER.notFound)
  const left = () => factors.$resource.get().data?.passkeys.length
  await factors.load()
  await removePasskey('pky_1')
  expect(left()).toBe(listed.passkeys.length)
  await removePasskey('pky_1')
  expect([listed.passkeys.length > 0, left()]).toEqual([true, 0])
})

test('opening the bell lists notices and marks them read; they stay unread when they cannot be shown or marked', async () => {
  const { server } = await createStoreFixture({ isSignedIn: true })
  const { $unread, $notices, open } = createNotices()
  const { notices } = noticesEndpoint.success.parse(exampleOf(noticesEndpoint).success)
  server.cutOff(noticesEndpoint)
  server.answer(noticesEndpoint, { notices: notices.slice(0, 1), unread: 1 })
  server.cutOff(readNoticesEndpoint)
  server.answer(readNoticesEndpoint, {})
  $unread.set(1)
  await open()
  expect($unread.get()).toBe(1)
  expect(server.requests.map(({ path }) => path)).not.toContain('/api/auth/notices/read')
  await open()
  expect([$notices.get().data?.notices.length, $unread.get()]).toEqual([1, 1])
  await open()
  expect($unread.get()).toBe(0)
})

test('"Send again" sends once', async () => {
  const { server, said } = await createStoreFixture({ isSignedIn: true })
  const { $resend, sendAgain } = createResend()
  server.answer(resendVerificationEndpoint, {})
  await Promise.all([sendAgain(), sendAgain()])
  await sendAgain()
  expect([$resend.get(), said().length, server.requests.length]).toEqual(['sent', 1, 1])
})
