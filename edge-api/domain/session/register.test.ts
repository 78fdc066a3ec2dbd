import { newRegistration } from '../../../tests/harness/registration.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { mailsAt, rowsOf } from '../../../tests/harness/world/rows.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createWorld, NO_INPUT } from '../../../tests/harness/world/world.ts'
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
    const ctx = { ...createWorld().ctx(), breaches }
    const body = newRegistration(password)
    await expect(register(ctx, { ...NO_INPUT, body })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      detail: { errors: [{ path: 'password', msg }] },
    })
    expect(await rowsOf(ctx.db, users, eq(users.emailKey, body.email))).toEqual([])
  },
)

test('a taken address is refused with as many round trips whether or not it is verified', async () => {
  const world = createWorld()
  for (const emailVerifiedAt of [null, world.now()]) {
    const { email } = await createAccount(world.ctx(), { emailVerifiedAt })
    const ctx = world.ctx()
    const body = { ...newRegistration(), email }
    await expect(register(ctx, { ...NO_INPUT, body })).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
    })
    expect(ctx.db.trips()).toBe(1)
    await world.drain()
    const sent = (await mailsAt(ctx, email)).map(({ kind }) => kind)
    expect(sent).toEqual(emailVerifiedAt === null ? [] : ['registration_attempt'])
  }
})
