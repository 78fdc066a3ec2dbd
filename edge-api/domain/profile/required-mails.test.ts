import { approveDevice } from '#harness/fixture/device.ts'
import { mailsOf, newLink, changeRows } from '#harness/fixture/rows.ts'
import { expect, test } from 'vitest'
import { setUpTotp } from '#harness/factors.ts'
import { cheapHash } from '#harness/fixture/account.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { openUnpaidPurchase, paymentFor, refundOf } from '#harness/fixture/purchase.ts'
import { callOf } from '#harness/fixture/fixture.ts'
import { users } from '../../db/schema/users.ts'
import { renewRecoveryCodes } from '../factors/list-factors.ts'
import { removeTotp } from '../factors/totp-factor.ts'
import { changePassword } from '../password/change-password.ts'
import { signIn, resetWith, elsewhere } from '#harness/fixture/sign-in.ts'
import { PASSWORD } from '#harness/user.ts'

/** An account that wants no optional mails, with an unpaid purchase. */
async function openSilentAccount() {
  const opened = await openUnpaidPurchase({}, await emptyFixture())
  const { fixture, claims } = opened
  const { db, now } = fixture.ctx()
  const changes = { mailReminders: false, emailVerifiedAt: now, passwordHash: cheapHash() }
  await changeRows(db, users, changes)
  const kinds = async () =>
    (await mailsOf(fixture.ctx(), claims.userId)).map(({ kind }) => kind).toSorted()
  return { ...opened, kinds }
}

test('mails about money are sent to an account that switched all optional mails off', async () => {
  const { purchase, report, kinds } = await openSilentAccount()
  const payment = paymentFor(purchase)
  await report({ payments: [payment] })
  expect(await kinds()).toEqual(['receipt'])
  await report({ refunds: [refundOf(payment)] })
  expect(await kinds()).toEqual(['receipt', 'refund'])
})

test('mails about passwords, devices and second steps are sent to an account that switched all optional mails off', async () => {
  const { fixture, claims, kinds } = await openSilentAccount()
  await signIn(elsewhere(fixture), claims.email)
  expect(await kinds()).toEqual(['new_device'])
  const change = { currentPassword: PASSWORD, newPassword: 'Quiet-Heron-43' }
  await changePassword(fixture.ctx(), { ...callOf(claims), body: change })
  await approveDevice(fixture.ctx(), claims)
  await setUpTotp(fixture.ctx(), claims)
  await renewRecoveryCodes(fixture.ctx(), callOf(claims))
  await removeTotp(fixture.ctx(), callOf(claims))
  await resetWith(fixture, await newLink(fixture.ctx(), claims.userId, 'reset'), 'Quiet-Finch-44')
  expect(await kinds()).toEqual([
    ...['device_approved', 'factor_changed', 'factor_changed', 'factor_changed'],
    ...['new_device', 'password_changed', 'password_changed'],
  ])
})
