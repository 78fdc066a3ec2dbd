import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { codeAt, passkeyAnswer, setUpPasskey, setUpTotp } from '#harness/factors.ts'
import { fixtureWith, accountWithPassword, openSession } from '#harness/fixture/account.ts'
import { changeRows, eventKindsOf, rowsOf } from '#harness/fixture/rows.ts'
import { callOf, type Fixture, withEachBatch } from '#harness/fixture/fixture.ts'
import type { FactorProof } from '../../../src/contract/factor.ts'
import { DatabaseBusy } from '../../db/database-error.ts'
import { passkeys, recoveryCodes, totps } from '../../db/schema/factors.ts'
import { sessions } from '../../db/schema/sessions.ts'
import type { Context, Claims } from '../context.ts'
import { deleteAccount } from '../data-rights/delete-account.ts'
import { takeExport } from '#harness/fixture/take-export.ts'
import { endOtherSessions } from '../session/end-session.ts'
import { minutes } from '../time.ts'
import { renewRecoveryCodes } from './list-factors.ts'
import { stepUp } from './step-up.ts'
import { removeTotp, startTotp } from './totp-factor.ts'
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

/** Ends the session after the first batch of a call, which found it open. */
function endedMeanwhile(ctx: Context, { sessionId }: Claims): Context {
  let batches = 0
  const db = withEachBatch(ctx.db, async () => {
    batches += 1
    if (batches !== 2) return
    await changeRows(ctx.db, sessions, { endedAt: ctx.now }, eq(sessions.id, sessionId))
  })
  return { ...ctx, db }
}

test.each([
  ['renews recovery codes', renewRecoveryCodes],
  ['removes a second step', removeTotp],
  ['ends other sessions', endOtherSessions],
])('a session that ends during a call which %s changes nothing', async (_, act) => {
  const [fixture, own] = await fixtureWith(accountWithPassword)
  await setUpTotp(fixture.ctx(), own)
  const stolen = await openSession(fixture.ctx(), own.userId)
  const stored = async () => {
    const { db } = fixture.ctx()
    const codes = await rowsOf(db, recoveryCodes, eq(recoveryCodes.userId, own.userId))
    const apps = await rowsOf(db, totps, eq(totps.userId, own.userId))
    return [codes, apps, await rowsOf(db, sessions, eq(sessions.id, own.sessionId))]
  }
  const before = await stored()
  await act(endedMeanwhile(fixture.ctx(), stolen), callOf(stolen)).catch(() => undefined)
  expect(await stored()).toEqual(before)
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
  expect(fixture.infos).toEqual([])
  await confirm(fixture, claims, { kind: 'totp', code: codeAt(secret, fixture.now()) })
  await deletion()
  const { userId } = claims
  expect(fixture.infos).toEqual([{ event: 'account deleted', fields: { userId } }])
  for (const table of [passkeys, totps, recoveryCodes]) {
    const rows = await rowsOf(fixture.ctx().db, table, eq(table.userId, claims.userId))
    expect(rows).toEqual([])
  }
})
