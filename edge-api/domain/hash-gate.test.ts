import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cheapHash, createAccount } from '../../tests/harness/world/account.ts'
import { memoryWorld } from '../../tests/harness/world/memory-world.ts'
import { callOf, NO_INPUT } from '../../tests/harness/world/world.ts'
import { users } from '../db/schema/users.ts'
import { changePassword } from './account/change-password.ts'
import { deleteAccount } from './account/delete-account.ts'
import { newMailedLink, storeLinkFrom } from './account/mailed-link.ts'
import { register } from './account/register.ts'
import { resetPassword } from './account/reset-password.ts'
import { stepUp } from './factors/step-up.ts'
import { HashGate } from './hash-gate.ts'
import { Refusal } from './refusal.ts'
import { login } from './session/login.ts'

const newGate = () => new HashGate(() => new Promise((resolve) => setTimeout(resolve, 1)))

test('of 60 hashes at once two run at a time, twenty are done, and the others are told when to come back', async () => {
  const gate = newGate()
  let running = 0
  let most = 0
  const hash = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
    return 'hash'
  }
  const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => gate.pass(hash)))
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(outcomes.length - refused.length).toBe(20)
  expect(most).toBe(2)
  expect(refused[0]).toMatchObject({
    reason: { code: 'OVERLOADED', detail: { retryAfterSeconds: 5 } },
  })
  expect(await gate.pass(hash)).toBe('hash')
})

test('a hash that fails gives its place back', async () => {
  const gate = newGate()
  const failing = () => Promise.reject(new Error('no'))
  for (let time = 0; time < 25; time += 1) {
    await expect(gate.pass(failing)).rejects.toThrow('no')
  }
  expect(await gate.pass(() => Promise.resolve('hash'))).toBe('hash')
})

/** A gate whose line is full. */
class FullGate extends HashGate {
  override pass<Result>(): Promise<Result> {
    return Promise.reject(new Refusal('OVERLOADED', 'full'))
  }
}

test('every call that hashes a password waits in the line', async () => {
  const world = memoryWorld()
  const emailVerifiedAt = world.now()
  const claims = await createAccount(world.ctx(), { passwordHash: cheapHash(), emailVerifiedAt })
  const link = await newMailedLink(world.ctx(), 'reset')
  const owner = sql`FROM ${users} WHERE ${users.id} = ${claims.userId}`
  await world.ctx().db.batch([storeLinkFrom(world.ctx(), link, owner)])
  const ctx = { ...world.ctx(), hashGate: new FullGate(() => Promise.resolve()) }
  const email = 'somebody@example.test'
  const [password, newPassword] = ['Quiet-Otter-42', 'Quiet-Heron-43']
  const proof = { kind: 'password', password } as const
  const newcomer = { username: 'somebody', email, password, confirmPassword: password }
  const calls = [
    login(ctx, { ...NO_INPUT, body: { email, password, rememberMe: false } }),
    register(ctx, { ...NO_INPUT, body: newcomer }),
    resetPassword(ctx, { ...NO_INPUT, params: { token: link.secret }, body: { password } }),
    changePassword(ctx, { ...callOf(claims), body: { currentPassword: password, newPassword } }),
    deleteAccount(ctx, { ...callOf(claims), body: { password } }),
    stepUp(ctx, { ...callOf(claims), body: { proof } }),
  ]
  const codes = (await Promise.allSettled(calls)).map((call) =>
    call.status === 'rejected' ? call.reason.code : 'hashed',
  )
  expect(codes).toEqual(calls.map(() => 'OVERLOADED'))
})
