import { mailsOf, userOf } from '../../../../tests/harness/world/rows.ts'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Act } from '../../../../src/contract/desk-acts.ts'
import { DESK_ACT } from '../../../../src/contract/desk-acts.ts'
import { setUpTotp } from '../../../../tests/harness/factors.ts'
import { cheapHash, createAccount } from '../../../../tests/harness/world/account.ts'
import { deskOf } from '../../../../tests/harness/world/desk.ts'
import { emptyWorld } from '../../../../tests/harness/world/empty-world.ts'
import { callOf, createWorld, NO_INPUT } from '../../../../tests/harness/world/world.ts'
import { failedChecks } from '../../../../tools/ops/verify-ledger.ts'
import { users } from '../../../db/schema/users.ts'
import { me } from '../../account/update-profile.ts'
import { checkResetLink, forgotPassword } from '../../account/reset-password.ts'
import { verifyEmail } from '../../account/verify-email.ts'
import { login } from '../../session/login.ts'
import { days } from '../../time.ts'
import { trialFor, trialStatements } from '../../tokens/trial.ts'

const PASSWORD = 'Quiet-Otter-42'

async function openWrong(overrides: Partial<typeof users.$inferInsert> = {}) {
  const world = createWorld()
  const desk = deskOf(world)
  const claims = await createAccount(world.ctx(), { passwordHash: cheapHash(), ...overrides })
  const { userId } = claims
  const user = () => userOf(world.ctx(), userId)
  const former = claims.email
  const right = `right.${former}`
  return {
    world,
    desk,
    claims,
    former,
    right,
    user,
    correct: (email = right): Act => ({ kind: 'correct_address', userId, email }),
    undo: { kind: 'undo_correction', userId } satisfies Act,
    signIn: (email: string) =>
      login(world.ctx(), { ...NO_INPUT, body: { email, password: PASSWORD, rememberMe: false } }),
    mails: async () =>
      (await mailsOf(world.ctx(), userId)).map(({ kind, toAddress: to, payload }) => {
        const { secret = '' } = JSON.parse(payload)
        return { kind, to, secret: String(secret) }
      }),
  }
}

test('an address that was typed wrong is corrected: the stranger who has it is out, and the right one is proven by mail', async () => {
  const { world, desk, claims, former, right, user, correct, signIn, mails } = await openWrong()
  await forgotPassword(world.ctx(), { ...NO_INPUT, body: { email: former } })
  const [reset] = await mails()
  const check = () =>
    checkResetLink(world.ctx(), { ...NO_INPUT, params: { token: reset?.secret ?? '' } })
  await check()
  const shown = await desk.preview(correct())
  expect(shown).toEqual([
    'The account gets the address you entered, not yet verified. We email a verification link there.',
    'We email the former address about it, without naming the new one. The desk can undo this for 7 days.',
    'All sessions end. Links emailed to the former address stop working.',
    'The password stays: it was set at registration.',
  ])
  expect((await me(world.ctx(), callOf(claims))).user.email).toBe(former)
  world.advance(1_000)
  await desk.carryOut(correct(), shown)

  await expect(me(world.ctx(), callOf(claims))).rejects.toThrow('Please sign in')
  await expect(check()).rejects.toMatchObject({ code: 'LINK_INVALID' })
  await expect(signIn(former)).rejects.toThrow('Invalid email or password')
  expect((await signIn(right)).user).toMatchObject({ email: right, isEmailVerified: false })
  const told = (await mails()).slice(1)
  expect(told.map(({ kind, to }) => [kind, to])).toEqual([
    ['address_corrected', right],
    ['address_replaced', former],
  ])
  await verifyEmail(world.ctx(), { ...NO_INPUT, params: { token: told[0]?.secret ?? '' } })
  expect(await user()).toMatchObject({ email: right, emailKey: right })
  expect((await user()).emailVerifiedAt).not.toBeNull()
  const [entry] = await desk.entries(claims.userId)
  expect(entry).toMatchObject({ kind: 'correct_address', reason: 'Ticket 7' })
  // The entry stays for ever, so it names no address.
  expect(JSON.stringify(entry)).not.toContain('@')
})

test('the holder of the wrong mailbox loses the access it gave: the password of a mailed link and the Google account', async () => {
  const googleSubject = crypto.randomUUID()
  const wrong = await openWrong({ emailVerifiedAt: 1, isPasswordProven: true, googleSubject })
  const { world, desk, claims, former, right, user, correct, undo, signIn } = wrong
  await setUpTotp(world.ctx(), claims)
  expect((await desk.preview(correct())).slice(3)).toEqual([
    'The password is cleared, because it was set with a link emailed to the former address. "Forgot your password?" sets a new one.',
    'The Google account is disconnected and can no longer sign in.',
    'What stays: the authenticator app. If the wrong person set that up, suspend the account.',
  ])
  await desk.carryOut(correct())
  await expect(signIn(right)).rejects.toThrow('Invalid email or password')
  expect(await user()).toMatchObject({
    email: right,
    emailVerifiedAt: null,
    googleSubject: null,
    passwordHash: '',
  })

  expect(await desk.preview(undo)).toContain('Its Google account can sign in again.')
  await desk.carryOut(undo)
  expect(await user()).toMatchObject({ email: former, emailVerifiedAt: 1, googleSubject })
  await expect(desk.carryOut(undo)).rejects.toThrow(DESK_ACT.notCorrected)
})

test('a correction is taken back within 7 days, and both addresses get a mail about it', async () => {
  const { world, desk, claims, former, right, user, correct, undo, signIn, mails } =
    await openWrong()
  await desk.carryOut(correct())
  await expect(desk.preview(correct(`other.${right}`))).rejects.toThrow(DESK_ACT.corrected)
  world.advance(days(7) - 1)
  const { token } = await signIn(right)
  expect(token).not.toBe('')
  await desk.carryOut(undo)
  expect(await user()).toMatchObject({ email: former, emailKey: former, emailVerifiedAt: null })
  const open = sql`SELECT 1 FROM sessions WHERE user_id = ${claims.userId} AND ended_at IS NULL`
  expect(await world.read(open)).toEqual([])
  expect((await mails()).slice(-2).map(({ kind, to }) => [kind, to])).toEqual([
    ['address_restored', former],
    ['address_replaced', right],
  ])

  world.advance(1)
  await desk.carryOut(correct())
  world.advance(days(7))
  await expect(desk.carryOut(undo)).rejects.toThrow(DESK_ACT.notCorrected)
  await desk.carryOut(correct(`other.${right}`))
  expect(await user()).toMatchObject({ email: `other.${right}` })
})

test('no address has two accounts: not at a preview, not at once, and not when a correction is taken back', async () => {
  const first = await openWrong()
  const second = await openWrong()
  await expect(first.desk.preview(first.correct(second.former.toUpperCase()))).rejects.toThrow(
    DESK_ACT.addressTaken,
  )
  const both = await Promise.all(
    [first, second].map(({ desk, correct }) =>
      desk.carryOut(correct(first.right)).then(
        () => 'done',
        (error: unknown) => String(error),
      ),
    ),
  )
  expect(both.filter((answer) => answer === 'done')).toHaveLength(1)
  const [winner, loser] = both[0] === 'done' ? [first, second] : [second, first]
  expect(await loser.user()).toMatchObject({ email: loser.former })
  expect(await loser.desk.entries(loser.claims.userId)).toEqual([])

  await createAccount(winner.world.ctx(), { email: winner.former, emailKey: winner.former })
  await expect(winner.desk.carryOut(winner.undo)).rejects.toThrow(DESK_ACT.formerTaken)
  expect(await winner.user()).toMatchObject({ email: first.right })
})

test('no account becomes an operator or stops being one by a correction', async () => {
  const { world, desk, former, right, correct, undo } = await openWrong()
  const [operator = ''] = world.ctx().operators
  await expect(desk.carryOut(correct(operator))).rejects.toThrow(DESK_ACT.operatorAddress)
  const { db } = world.ctx()
  await desk.preview(correct())
  const [[row]] = await db.batch([db.select().from(users).where(eq(users.emailKey, operator))])
  const own: Act = { kind: 'correct_address', userId: row?.id ?? '', email: 'new@example.test' }
  await expect(desk.carryOut(own)).rejects.toThrow(DESK_ACT.ownAccount)
  await expect(desk.carryOut({ kind: 'delete_account', userId: row?.id ?? '' })).rejects.toThrow(
    DESK_ACT.ownAccount,
  )
  await desk.carryOut(correct())
  for (const [named, reason] of [
    [former, DESK_ACT.operatorAddress],
    [right, DESK_ACT.isOperator],
  ] as const) {
    const ctx = () => ({ ...world.ctx(), operators: [operator, named] })
    await expect(deskOf({ ...world, ctx }).preview(undo)).rejects.toThrow(reason)
  }
})

test('acts of operators on an account with a trial break no rule of the ledger', async () => {
  const world = await emptyWorld()
  const ctx = world.ctx()
  const { userId, email } = await createAccount(ctx, { emailVerifiedAt: ctx.now })
  const trial = await trialFor(ctx, { userId, email, googleSubject: null })
  await ctx.db.batch(trialStatements(ctx, trial))
  const acts: Act[] = [
    { kind: 'suspend', userId },
    { kind: 'lift_suspension', userId },
    { kind: 'correct_address', userId, email: `right.${email}` },
  ]
  for (const wanted of acts) {
    world.advance(1)
    await deskOf(world).carryOut(wanted)
    expect(await failedChecks(ctx)).toEqual([])
  }
})
