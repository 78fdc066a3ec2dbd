import { approveDevice } from '../../../tests/harness/fixture/device.ts'
import { mailsOf, newLink } from '../../../tests/harness/fixture/rows.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { setUpTotp } from '../../../tests/harness/factors.ts'
import { cheapHash } from '../../../tests/harness/fixture/account.ts'
import { emptyFixture } from '../../../tests/harness/fixture/empty-fixture.ts'
import {
  openUnpaidPurchase,
  paymentFor,
  refundOf,
} from '../../../tests/harness/fixture/purchase.ts'
import { callOf, NO_INPUT } from '../../../tests/harness/fixture/fixture.ts'
import { users } from '../../db/schema/users.ts'
import { renewRecoveryCodes } from '../factors/list-factors.ts'
import { removeTotp } from '../factors/totp-factor.ts'
import { login } from '../sign-in/login.ts'
import { changePassword } from '../password/change-password.ts'
import { resetPassword } from '../password/reset-password.ts'

const [FIRST, SECOND, THIRD] = ['Quiet-Otter-42', 'Quiet-Heron-43', 'Quiet-Finch-44'] as const

/** An account that wants no optional mails, with an unpaid purchase. */
async function openSilentAccount() {
  const opened = await openUnpaidPurchase({}, await emptyFixture())
  const { fixture, claims } = opened
  const { db, now } = fixture.ctx()
  const [[user]] = await db.batch([
    db
      .update(users)
      .set({ mailReminders: false, emailVerifiedAt: now, passwordHash: cheapHash() })
      .where(eq(users.id, claims.userId))
      .returning(),
  ])
  const kinds = async () =>
    (await mailsOf(fixture.ctx(), claims.userId)).map(({ kind }) => kind).toSorted()
  return { ...opened, email: user?.email ?? '', kinds }
}

test('mails about money are sent to an account that switched all optional mails off', async () => {
  const { purchase, report, kinds } = await openSilentAccount()
  const payment = paymentFor(purchase)
  await report({ payments: [payment] })
  expect(await kinds()).toEqual(['receipt'])
  await report({
    payments: [{ ...payment, amountRefundedMinor: payment.amountMinor }],
    refundsAndDisputes: [refundOf(payment)],
  })
  expect(await kinds()).toEqual(['receipt', 'refund'])
})

test('mails about passwords, devices and second steps are sent to an account that switched all optional mails off', async () => {
  const { fixture, claims, email, kinds } = await openSilentAccount()
  const elsewhere = { ...fixture.ctx().visitor, ipPrefix: '198.51.100.0/24' }
  const body = { email, password: FIRST, rememberMe: false }
  await login({ ...fixture.ctx(), visitor: elsewhere }, { ...NO_INPUT, body })
  expect(await kinds()).toEqual(['new_device'])
  const change = { currentPassword: FIRST, newPassword: SECOND }
  await changePassword(fixture.ctx(), { ...callOf(claims), body: change })
  await approveDevice(fixture.ctx(), claims)
  await setUpTotp(fixture.ctx(), claims)
  await renewRecoveryCodes(fixture.ctx(), callOf(claims))
  await removeTotp(fixture.ctx(), callOf(claims))
  const params = { token: await newLink(fixture.ctx(), claims.userId, 'reset') }
  await resetPassword(fixture.ctx(), { ...NO_INPUT, params, body: { password: THIRD } })
  expect(await kinds()).toEqual([
    'device_approved',
    'factor_changed',
    'factor_changed',
    'factor_changed',
    'new_device',
    'password_changed',
    'password_changed',
  ])
})
