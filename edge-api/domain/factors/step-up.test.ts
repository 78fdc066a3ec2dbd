import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { codeAt, passkeyAnswer, setUpPasskey, setUpTotp } from '#harness/factors.ts'
import { fixtureWith, accountWithPassword } from '#harness/fixture/account.ts'
import { eventKindsOf, rowsOf } from '#harness/fixture/rows.ts'
import { callOf, type Fixture, withEachBatch } from '#harness/fixture/fixture.ts'
import type { FactorProof } from '../../../src/contract/factor.ts'
import { DatabaseBusy } from '../../db/database-error.ts'
import { passkeys, recoveryCodes, totps } from '../../db/schema/factors.ts'
import type { Context, Claims } from '../context.ts'
import { deleteAccount } from '../data-rights/delete-account.ts'
import { takeExport } from '#harness/fixture/take-export.ts'
import { endOtherSessions } from '../session/end-session.ts'
import { minutes } from '../time.ts'
import { stepUp } from './step-up.ts'
import { startTotp } from './totp-factor.ts'
import { PASSWORD } from '#harness/user.ts'

const byPassword: { kind: 'password'; password: string } = { kind: 'password', password: PASSWORD }
const STEP_UP = { code: 'STEP_UP_REQUIRED' }

function confirm(fixture: Fixture, claims: Claims, proof: FactorProof | typeof byPassword) {
  return stepUp(fixture.ctx(), { ...callOf(claims), body: { proof } })
}

/** As a call, with its input. */
const exportOf = (ctx: Context, { claims }: ReturnType<typeof callOf>) => takeExport(ctx, claims)

test('ten minutes after signing in, calls that need it ask for a confirmation; the password gives one', async () => {
  const [fixture, claims] = await fixtureWith(accountWithPassword)
  const calls = [exportOf, endOtherSessions, startTotp]
  for (const call of calls) await call(fixture.ctx(), callOf(claims))
  fixture.advance(minutes(10))
  for (const call of calls) {
    await expect(call(fixture.ctx(), callOf(claims))).rejects.toMatchObject(STEP_UP)
  }
  const wrong = confirm(fixture, claims, { ...byPassword, password: 'Wrong-Otter-42' })
  await expect(wrong).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  await confirm(fixture, claims, byPassword)
  for (const call of calls) await call(fixture.ctx(), callOf(claims))
})

test('an account with a second step confirms with it, not with the password; each proof works once', async () => {
  const [fixture, claims] = await fixtureWith(accountWithPassword)
  const { passkey } = await setUpPasskey(fixture.ctx(), claims)
  const { secret } = await setUpTotp(fixture.ctx(), claims)
  fixture.advance(minutes(10))
  const refused = { code: 'FACTOR_REFUSED' }
  await expect(confirm(fixture, claims, byPassword)).rejects.toMatchObject(refused)
  const answer = { kind: 'passkey' as const, ...(await passkeyAnswer(fixture.ctx(), passkey)) }
  const code = { kind: 'totp' as const, code: codeAt(secret, fixture.now()) }
  for (const proof of [answer, code]) {
    await confirm(fixture, claims, proof)
    await takeExport(fixture.ctx(), claims)
    await expect(confirm(fixture, claims, proof)).rejects.toMatchObject(refused)
  }
})

test.each([
  { kind: 'totp' as const, code: '000000' },
  { kind: 'recovery' as const, code: 'AAAAAAAAAAAAAAAA' },
])('a wrong $kind code typed in a session is written into the history', async (proof) => {
  const [fixture, claims] = await fixtureWith(accountWithPassword)
  await setUpTotp(fixture.ctx(), claims)
  const wrong = confirm(fixture, claims, proof)
  await expect(wrong).rejects.toMatchObject({ code: 'FACTOR_REFUSED' })
  await fixture.drain()
  expect(await eventKindsOf(fixture.ctx(), claims.userId)).toContain('factor_failed')
})

test('a right code that a busy database does not let through is no failed second step', async () => {
  const [fixture, claims] = await fixtureWith(accountWithPassword)
  const { secret } = await setUpTotp(fixture.ctx(), claims)
  fixture.advance(minutes(1))
  const ctx = fixture.ctx()
  const db = withEachBatch(ctx.db, (statements) => {
    if ('ownAttempts' in statements) throw new DatabaseBusy('too much to do')
  })
  const body = { proof: { kind: 'totp' as const, code: codeAt(secret, fixture.now()) } }
  const busy = stepUp({ ...ctx, db }, { ...callOf(claims), body })
  await expect(busy).rejects.toThrow(DatabaseBusy)
  await fixture.drain()
  expect(await eventKindsOf(ctx, claims.userId)).not.toContain('factor_failed')
})

test('deleting an account with a second step needs it besides the password, and erases it', async () => {
  const [fixture, claims] = await fixtureWith(accountWithPassword)
  await setUpPasskey(fixture.ctx(), claims)
  const { secret } = await setUpTotp(fixture.ctx(), claims)
  fixture.advance(minutes(10))
  const deletion = () =>
    deleteAccount(fixture.ctx(), { ...callOf(claims), body: { password: PASSWORD } })
  await expect(deletion()).rejects.toMatchObject(STEP_UP)
  await confirm(fixture, claims, { kind: 'totp', code: codeAt(secret, fixture.now()) })
  await deletion()
  for (const table of [passkeys, totps, recoveryCodes]) {
    const rows = await rowsOf(fixture.ctx().db, table, eq(table.userId, claims.userId))
    expect(rows).toEqual([])
  }
})
