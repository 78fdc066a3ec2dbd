import { newRegistration } from '#harness/registration.ts'
import { createAccount } from '#harness/fixture/account.ts'
import { mailsAt, rowsOf } from '#harness/fixture/rows.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createFixture, NO_INPUT } from '#harness/fixture/fixture.ts'
import { FIELD } from '../../../src/contract/field-messages.ts'
import { users } from '../../db/schema/users.ts'
import { register } from './register.ts'

test.each([
  ['common', 'Aa123456', false, FIELD.passwordCommon],
  ['breached', 'Quiet-Otter-42', true, FIELD.passwordBreached],
])(
  'nobody registers with a %s password, and nothing is stored',
  async (_, password, isBreached, msg) => {
    const breaches = { has: () => Promise.resolve(isBreached) }
    const ctx = { ...createFixture().ctx(), breaches }
    const body = newRegistration(password)
    await expect(register(ctx, { ...NO_INPUT, body })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      detail: { errors: [{ path: 'password', msg }] },
    })
    expect(await rowsOf(ctx.db, users, eq(users.emailKey, body.email))).toEqual([])
  },
)

test('a taken address is rejected with as many round trips whether or not it is verified', async () => {
  const fixture = createFixture()
  for (const emailVerifiedAt of [null, fixture.now()]) {
    const { email } = await createAccount(fixture.ctx(), { emailVerifiedAt })
    const ctx = fixture.ctx()
    const body = { ...newRegistration(), email }
    await expect(register(ctx, { ...NO_INPUT, body })).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
    })
    expect(ctx.db.roundTrips()).toBe(1)
    await fixture.drain()
    const sent = (await mailsAt(ctx, email)).map(({ kind }) => kind)
    expect(sent).toEqual(emailVerifiedAt === null ? [] : ['registration_attempt'])
  }
})
