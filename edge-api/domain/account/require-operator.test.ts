import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { DESK } from '../../../src/contract/desk.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { createWorld } from '../../../tests/harness/world/world.ts'
import { passkeys, recoveryCodes, totps } from '../../db/schema/factors.ts'
import { carryOut } from '../desk/act.ts'
import { planAdmitOperator } from '../desk/acts/admit-operator.ts'
import { minutes } from '../time.ts'
import { ADMITTED, requireOperator } from './require-operator.ts'

/** A named operator with a proven address and no second step, in the hands of whoever has the password. */
async function newOperator() {
  const world = createWorld()
  const email = `${randomUUID()}@operators.test`
  const ctx = () => ({ ...world.ctx(), operators: [email] })
  const own = { email, emailKey: email, emailVerifiedAt: world.now() }
  const claims = await createAccount(ctx(), own)
  const { userId } = claims
  const { db } = ctx()
  return {
    ctx,
    userId,
    enter: () => requireOperator(ctx(), claims),
    addApp: () =>
      db.batch([
        db.insert(totps).values({ userId, secret: 'A', lastStep: 0, createdAt: world.now() }),
      ]),
    removeApp: () => db.batch([db.delete(totps).where(eq(totps.userId, userId))]),
    addPasskey: () => {
      const id = ctx().newId('pky')
      const key = { id, credentialId: id, userId, name: 'Key', publicKey: 'A', signCount: 0 }
      return db.batch([db.insert(passkeys).values({ ...key, createdAt: world.now() })])
    },
    renewCodes: () => {
      const code = { codeHash: randomUUID(), userId, createdAt: world.now() }
      return db.batch([db.insert(recoveryCodes).values(code)])
    },
    admit: async () => {
      const plan = await planAdmitOperator(ctx(), userId)
      const act = { kind: ADMITTED, userId }
      await carryOut(ctx(), 'ops:nell', { act, reason: 'New here', plan })
      return plan.changes
    },
    wait: () => {
      world.advance(minutes(1))
    },
  }
}

const NOT_ADMITTED = { code: 'FACTOR_REQUIRED', message: DESK.notAdmitted }

test('a second step that nobody with npm run ops admitted opens no desk', async () => {
  const { enter, addApp, userId, wait, admit } = await newOperator()
  await expect(enter()).rejects.toMatchObject({ message: DESK.needsFactor })
  await addApp()
  await expect(enter()).rejects.toMatchObject(NOT_ADMITTED)
  wait()
  expect((await admit()).join()).toContain('an authenticator app of 2026-11-18 12:00')
  expect((await enter()).id).toBe(userId)
})

test('a factor added beside an admitted one shuts the desk until somebody admits it too', async () => {
  const { enter, addApp, addPasskey, renewCodes, wait, admit, userId } = await newOperator()
  await addApp()
  await admit()
  for (const add of [addPasskey, renewCodes]) {
    wait()
    await add()
    await expect(enter()).rejects.toMatchObject(NOT_ADMITTED)
    await admit()
    expect((await enter()).id).toBe(userId)
  }
})

test('a removed second step leaves the desk to the others; another in its place is not admitted', async () => {
  const { enter, addApp, addPasskey, removeApp, wait, admit, userId } = await newOperator()
  await addApp()
  await addPasskey()
  await admit()
  wait()
  await removeApp()
  expect((await enter()).id).toBe(userId)
  await addApp()
  await expect(enter()).rejects.toMatchObject(NOT_ADMITTED)
})

test('nobody is admitted without a second step, or without being named in OPERATORS', async () => {
  const { ctx, userId, addApp, admit } = await newOperator()
  await expect(admit()).rejects.toThrow('has no second step')
  await addApp()
  const unnamed = planAdmitOperator({ ...ctx(), operators: [] }, userId)
  await expect(unnamed).rejects.toThrow('OPERATORS does not name')
})
