import { newRegistration } from '../../../tests/harness/registration.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { mailsAt } from '../../../tests/harness/world/rows.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createWorld, NO_INPUT } from '../../../tests/harness/world/world.ts'
import { FIELD } from '../../../src/contract/messages.ts'
import { users } from '../../db/schema/users.ts'
import { register } from './register.ts'

test('nobody registers with a common password, and nothing is stored', async () => {
  const world = createWorld()
  const body = newRegistration('Aa123456')
  await expect(register(world.ctx(), { ...NO_INPUT, body })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    detail: { errors: [{ path: 'password', msg: FIELD.passwordCommon }] },
  })
  const { db } = world.ctx()
  const [rows] = await db.batch([db.select().from(users).where(eq(users.emailKey, body.email))])
  expect(rows).toEqual([])
})

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
