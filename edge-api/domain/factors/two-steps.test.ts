import { fulfilled } from '#harness/fulfilled.ts'
import {
  changeRows,
  countToday,
  eventKindsOf,
  mailsOf,
  rowsOf,
  userOf,
} from '#harness/fixture/rows.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newAuthenticator } from '#harness/authenticator.ts'
import { codeAt, passkeyAnswer, setUpPasskey, setUpTotp } from '#harness/factors.ts'
import {
  openAccount,
  openSession,
  fixtureWith,
  accountWithPassword,
} from '#harness/fixture/account.ts'
import { callOf, createFixture, NO_INPUT, type Fixture } from '#harness/fixture/fixture.ts'
import { SecondStep } from '../../../src/contract/endpoint.ts'
import { FACTOR, type FactorProof } from '../../../src/contract/factor.ts'
import { DAILY_LIMITS } from '../../../src/contract/limits.ts'
import { brand } from '../../../site/brand.ts'
import { passkeys, recoveryCodes } from '../../db/schema/factors.ts'
import { rememberDevice } from '../account/device-cookie.ts'
import type { Claims } from '../context.ts'
import { me } from '../profile/me.ts'
import { afterHash } from '#harness/fixture/hashing.ts'
import { ApiError } from '../api-error.ts'
import { login } from '../sign-in/login.ts'
import { passkeySignIn } from '../sign-in/passkey-sign-in.ts'
import { secondStep } from '../sign-in/second-step.ts'
import { days, hours, minutes, seconds } from '../time.ts'
import { listFactors, renewRecoveryCodes } from './list-factors.ts'
import { addPasskey, removePasskey, renamePasskey, startPasskey } from './passkey-factor.ts'
import { userHandleOf } from './passkey.ts'
import { stepUp } from './step-up.ts'
import { addTotp, removeTotp, startTotp } from './totp-factor.ts'
import { signIn, elsewhere, newBrowser } from '#harness/fixture/sign-in.ts'
import { PASSWORD } from '#harness/user.ts'

const byPassword = ({ ctx }: Fixture, email: string) =>
  login(ctx(), { ...NO_INPUT, body: { email, password: PASSWORD, rememberMe: true } })

/** Two accounts with a password. */
async function openTwo() {
  const fixture = createFixture()
  const account = await accountWithPassword(fixture)
  return { fixture, account, stranger: await accountWithPassword(fixture) }
}

const WRONG = { kind: 'totp', code: '000000' } as const
const totp = (secret: string, now: number) => ({ kind: 'totp' as const, code: codeAt(secret, now) })
const recovery = (code = '') => ({ kind: 'recovery' as const, code: code.replaceAll('-', '') })

/** The code of a rejection, and what it hands out instead of a session. */
async function apiErrorOf(refused: Promise<unknown>) {
  try {
    await refused
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const secondStep = SecondStep.safeParse(error.detail.extra?.['secondStep']).data
    return { code: error.code, ticket: secondStep?.ticket ?? '', methods: secondStep?.methods }
  }
  throw new Error('it was not refused')
}

const rejected = (call: Promise<unknown>, code: string) =>
  expect(call).rejects.toMatchObject({ name: 'ApiError', code })

async function ticketFor(fixture: Fixture, email: string): Promise<string> {
  const { code, ticket } = await apiErrorOf(byPassword(fixture, email))
  expect(code).toBe('FACTOR_REQUIRED')
  return ticket
}

function finish(fixture: Pick<Fixture, 'ctx'>, ticket: string, proof: FactorProof) {
  return secondStep(fixture.ctx(), { ...NO_INPUT, body: { ticket, proof } })
}

const mailKinds = async (fixture: Fixture, { userId }: { userId: string }) =>
  (await mailsOf(fixture.ctx(), userId)).map(({ kind }) => kind)

test('a code works once, also in two sign-ins at the same moment, and so does a ticket', async () => {
  const [fixture, account] = await fixtureWith(accountWithPassword)
  const { secret } = await setUpTotp(fixture.ctx(), account)
  const setUpCode = codeAt(secret, fixture.now())
  const [one, other] = [
    await ticketFor(fixture, account.email),
    await ticketFor(fixture, account.email),
  ]
  await rejected(finish(fixture, one, { kind: 'totp', code: setUpCode }), 'FACTOR_REFUSED')
  fixture.advance(seconds(30))
  const code = codeAt(secret, fixture.now())
  const tries = await Promise.allSettled([
    finish(fixture, one, { kind: 'totp', code }),
    finish(fixture, other, { kind: 'totp', code }),
  ])
  expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const [opened] = tries.flatMap((tried) => (tried.status === 'fulfilled' ? [tried.value] : []))
  // The first step's "Remember me".
  expect(Date.parse(opened?.expiresAt ?? '') - fixture.now()).toBe(days(30))
  fixture.advance(seconds(30))
  const next = totp(secret, fixture.now())
  const used = tries[0].status === 'fulfilled' ? one : other
  await rejected(finish(fixture, used, next), 'LINK_INVALID')
})

test('a ticket is good for five minutes and for its own account', async () => {
  const { fixture, account, stranger } = await openTwo()
  const { secret } = await setUpTotp(fixture.ctx(), account)
  const { recoveryCodes } = await setUpTotp(fixture.ctx(), stranger)
  const ticket = await ticketFor(fixture, account.email)
  await rejected(finish(fixture, ticket, recovery(recoveryCodes[0])), 'FACTOR_REFUSED')
  fixture.advance(minutes(2))
  const old = totp(secret, fixture.now() - minutes(1))
  await rejected(finish(fixture, ticket, old), 'FACTOR_REFUSED')
  fixture.advance(minutes(3))
  await rejected(finish(fixture, ticket, totp(secret, fixture.now())), 'LINK_INVALID')
})

test('after twenty wrong codes no code is checked for a day; many at once do not get around it', async () => {
  const [fixture, account] = await fixtureWith(accountWithPassword)
  const { secret, recoveryCodes } = await setUpTotp(fixture.ctx(), account)
  const ticket = await ticketFor(fixture, account.email)
  fixture.advance(minutes(1))
  const wrong = () => apiErrorOf(finish(fixture, ticket, WRONG))
  await countToday(fixture.ctx(), ['code', `others:${account.userId}`], DAILY_LIMITS.code - 4)
  const codes = (await Promise.all(Array.from({ length: 8 }, wrong))).map(({ code }) => code)
  expect(codes.toSorted()).toEqual([
    ...Array(4).fill('FACTOR_REFUSED'),
    ...Array(4).fill('RATE_LIMITED'),
  ])
  await fixture.drain()
  expect(await eventKindsOf(fixture.ctx(), account.userId)).toContain('factor_failed')
  const right = () => totp(secret, fixture.now())
  const rejection = { code: 'RATE_LIMITED', detail: { retryAfterSeconds: expect.any(Number) } }
  await expect(finish(fixture, ticket, right())).rejects.toMatchObject(rejection)
  // A recovery code still gets in.
  await finish(fixture, ticket, recovery(recoveryCodes[0]))
  fixture.advance(hours(24))
  await finish(fixture, await ticketFor(fixture, account.email), right())
})

test('wrong codes of a stolen session and of strangers lock neither another session nor a browser that the account knows', async () => {
  const [fixture, account] = await fixtureWith(accountWithPassword)
  const { secret } = await setUpTotp(fixture.ctx(), account)
  fixture.advance(minutes(1))
  const right = () => totp(secret, fixture.now())
  const stolen = await openSession(fixture.ctx(), account.userId)
  const guess = (claims: Claims, proof: FactorProof = WRONG) =>
    stepUp(fixture.ctx(), { ...callOf(claims), body: { proof } })
  await countToday(fixture.ctx(), ['code', `session:${stolen.sessionId}`], DAILY_LIMITS.code - 1)
  await rejected(guess(stolen), 'FACTOR_REFUSED')
  await rejected(guess(stolen, right()), 'RATE_LIMITED')
  await guess(account, right())
  const ticket = await ticketFor(fixture, account.email)
  await countToday(fixture.ctx(), ['code', `others:${account.userId}`], DAILY_LIMITS.code)
  fixture.advance(minutes(1))
  await rejected(finish(fixture, ticket, right()), 'RATE_LIMITED')
  const known = newBrowser(fixture)
  const { emailKey, passwordHash } = await userOf(fixture.ctx(), account.userId)
  await rememberDevice(known.ctx(), { emailKey, passwordHash })
  await finish(known, ticket, right())
  const next = await ticketFor(fixture, account.email)
  const { deviceCookie } = known.ctx()
  // Base64 has several spellings of the same cookie.
  for (let tries = 0; tries < DAILY_LIMITS.code; tries += 1) {
    const given = deviceCookie.given.replace(/(?=.$)/, ' '.repeat(tries))
    const again = { ctx: () => ({ ...known.ctx(), deviceCookie: { ...deviceCookie, given } }) }
    await rejected(finish(again, next, WRONG), 'FACTOR_REFUSED')
  }
  await rejected(finish(known, next, WRONG), 'RATE_LIMITED')
})

test('one of ten renewals at once shows codes, which work, and a ticket spends one recovery code', async () => {
  const [fixture, account] = await fixtureWith(accountWithPassword)
  await setUpTotp(fixture.ctx(), account)
  const renewals = await Promise.allSettled(
    Array.from({ length: 10 }, () => renewRecoveryCodes(fixture.ctx(), callOf(account))),
  )
  const renewed = renewals.flatMap((one) =>
    one.status === 'fulfilled' ? [one.value.recoveryCodes] : [],
  )
  expect(renewed).toHaveLength(1)
  const messages = renewals.flatMap((one) =>
    one.status === 'rejected' ? [one.reason.message] : [],
  )
  expect(messages).toEqual(Array(9).fill(FACTOR.justRenewed))
  const ticket = await ticketFor(fixture, account.email)
  const tries = (renewed[0] ?? [])
    .slice(0, 4)
    .map((code) => finish(fixture, ticket, recovery(code)))
  expect(await fulfilled(tries)).toHaveLength(1)
  expect((await listFactors(fixture.ctx(), callOf(account))).recoveryCodesLeft).toBe(9)
})

test('a right code does not give a guesser more wrong ones', async () => {
  const [fixture, account] = await fixtureWith(accountWithPassword)
  const { secret } = await setUpTotp(fixture.ctx(), account)
  const ticket = await ticketFor(fixture, account.email)
  const guess = () => finish(fixture, ticket, WRONG)
  await countToday(fixture.ctx(), ['code', `others:${account.userId}`], DAILY_LIMITS.code - 1)
  fixture.advance(minutes(1))
  const right = totp(secret, fixture.now())
  await finish(fixture, await ticketFor(fixture, account.email), right)
  await rejected(guess(), 'FACTOR_REFUSED')
  await rejected(guess(), 'RATE_LIMITED')
})

test('each of ten recovery codes works once; new ones end the old ones', async () => {
  const [fixture, account] = await fixtureWith(accountWithPassword)
  const { recoveryCodes } = await setUpTotp(fixture.ctx(), account)
  expect(new Set(recoveryCodes).size).toBe(10)
  const use = async (shown = '', from: Pick<Fixture, 'ctx'> = fixture) => {
    const proof = recovery(shown)
    return finish(from, await ticketFor(fixture, account.email), proof)
  }
  await use(recoveryCodes[0])
  // One about the authenticator app, one about the code, and none about a new device.
  expect(await mailKinds(fixture, account)).toEqual(['factor_changed', 'factor_changed'])
  expect(await eventKindsOf(fixture.ctx(), account.userId)).toContain('recovery_code_used')
  await rejected(use(recoveryCodes[0]), 'FACTOR_REFUSED')
  await fixture.drain()
  expect(await eventKindsOf(fixture.ctx(), account.userId)).toContain('factor_failed')
  expect((await listFactors(fixture.ctx(), callOf(account))).recoveryCodesLeft).toBe(9)
  const renewed = await renewRecoveryCodes(fixture.ctx(), callOf(account))
  await rejected(use(recoveryCodes[1]), 'FACTOR_REFUSED')
  await use(renewed.recoveryCodes[0], elsewhere(fixture))
  expect(await mailKinds(fixture, account)).toContain('new_device')
})

test('once the last recovery code is used, the next sign-in brings new ones, once', async () => {
  const [fixture, account] = await fixtureWith(accountWithPassword)
  const { secret, recoveryCodes: old } = await setUpTotp(fixture.ctx(), account)
  const enter = async (proof: FactorProof) =>
    (await finish(fixture, await ticketFor(fixture, account.email), proof)).recoveryCodes
  for (const code of old) expect(await enter(recovery(code))).toBeUndefined()
  fixture.advance(minutes(1))
  const codes = (await enter(totp(secret, fixture.now()))) ?? []
  expect(codes).toHaveLength(10)
  expect((await listFactors(fixture.ctx(), callOf(account))).recoveryCodesLeft).toBe(10)
  expect(await enter(recovery(codes[0]))).toBeUndefined()
  await rejected(enter(recovery(old[0])), 'FACTOR_REFUSED')
})

test('of two sign-ins at once that lack recovery codes, one brings them', async () => {
  const [fixture, account] = await fixtureWith(accountWithPassword)
  const { passkey } = await setUpPasskey(fixture.ctx(), account)
  const isOwn = eq(recoveryCodes.userId, account.userId)
  await changeRows(fixture.ctx().db, recoveryCodes, { usedAt: fixture.now() }, isOwn)
  const answer = async () => ({
    ...(await passkeyAnswer(fixture.ctx(), passkey)),
    rememberMe: false,
  })
  const bodies = [await answer(), await answer()]
  const entered = await Promise.all(
    bodies.map((body) => passkeySignIn(fixture.ctx(), { ...NO_INPUT, body })),
  )
  expect(entered.flatMap((one) => one.recoveryCodes ?? [])).toHaveLength(10)
  const events = await eventKindsOf(fixture.ctx(), account.userId)
  expect(events.filter((kind) => kind === 'recovery_codes_renewed')).toHaveLength(1)
})

test('with another factor new recovery codes come once the last one is used', async () => {
  const [fixture, account] = await fixtureWith(accountWithPassword)
  await setUpTotp(fixture.ctx(), account)
  const isOwn = eq(recoveryCodes.userId, account.userId)
  await changeRows(fixture.ctx().db, recoveryCodes, { usedAt: fixture.now() }, isOwn)
  const other = await openSession(fixture.ctx(), account.userId)
  expect((await setUpPasskey(fixture.ctx(), account)).recoveryCodes).toHaveLength(10)
  // Only the first factor ends the other sessions.
  await me(fixture.ctx(), callOf(other))
})

test('four calls at once with one answer of a passkey sign in once, and an answer is good for five minutes', async () => {
  const [fixture, account] = await fixtureWith(accountWithPassword)
  const { passkey } = await setUpPasskey(fixture.ctx(), account)
  const answer = async () => ({
    ...(await passkeyAnswer(fixture.ctx(), passkey)),
    rememberMe: false,
  })
  const body = await answer()
  const signIns = Array.from({ length: 4 }, () =>
    passkeySignIn(fixture.ctx(), { ...NO_INPUT, body }),
  )
  const opened = await fulfilled(signIns)
  expect(opened.map(({ expiresAt }) => Date.parse(expiresAt) - fixture.now())).toEqual([hours(12)])
  const stored = await rowsOf(fixture.ctx().db, passkeys, eq(passkeys.userId, account.userId))
  expect(stored).toMatchObject([{ signCount: 1 }])
  expect(await mailKinds(fixture, account)).not.toContain('new_device')
  const { ctx } = elsewhere(fixture)
  await passkeySignIn(ctx(), { ...NO_INPUT, body: await answer() })
  expect(await mailKinds(fixture, account)).toContain('new_device')
  const late = await answer()
  fixture.advance(minutes(5))
  await rejected(passkeySignIn(fixture.ctx(), { ...NO_INPUT, body: late }), 'FACTOR_REFUSED')
})

test.each([
  ['of another origin', { origin: 'https://evil.example' }],
  ['that does not verify its user', { verifiesUser: false }],
])('a passkey %s is rejected', async (_, options) => {
  const [fixture, account] = await fixtureWith(accountWithPassword)
  const ctx = fixture.ctx()
  const passkey = newAuthenticator({ origin: ctx.origin, ...options })
  const { sealed, options: asked } = await startPasskey(ctx, callOf(account))
  const body = { sealed, credential: passkey.create(asked) }
  await rejected(addPasskey(ctx, { ...callOf(account), body }), 'FACTOR_REFUSED')
})

test('a challenge makes one passkey, and an answer that names another account is rejected', async () => {
  const [fixture, claims] = await fixtureWith(accountWithPassword)
  const ctx = fixture.ctx()
  const { sealed, options } = await startPasskey(ctx, callOf(claims))
  const first = newAuthenticator({ origin: ctx.origin })
  const add = (passkey: typeof first) =>
    addPasskey(ctx, { ...callOf(claims), body: { sealed, credential: passkey.create(options) } })
  await add(first)
  const second = newAuthenticator({ origin: ctx.origin })
  await rejected(add(second), 'FACTOR_REFUSED')
  const answer = await passkeyAnswer(ctx, first)
  const naming = (userId: string) => ({
    ...answer,
    rememberMe: false,
    credential: {
      ...answer.credential,
      response: { ...answer.credential.response, userHandle: userHandleOf(userId) },
    },
  })
  const foreign = passkeySignIn(ctx, { ...NO_INPUT, body: naming('usr_other') })
  await expect(foreign).rejects.toMatchObject({ code: 'FACTOR_REFUSED' })
  const own = await passkeySignIn(ctx, { ...NO_INPUT, body: naming(claims.userId) })
  expect(own.user.id).toBe(claims.userId)
})

test("another account's passkey and a forged answer are rejected", async () => {
  const { fixture, account, stranger } = await openTwo()
  const { passkey } = await setUpPasskey(fixture.ctx(), account)
  const { passkey: theirs } = await setUpPasskey(fixture.ctx(), stranger)
  const ticket = await ticketFor(fixture, account.email)
  const answer = await passkeyAnswer(fixture.ctx(), theirs)
  await rejected(finish(fixture, ticket, { kind: 'passkey', ...answer }), 'FACTOR_REFUSED')
  // The victim's credential, signed with another key.
  const own = await passkeyAnswer(fixture.ctx(), passkey)
  const { id, rawId } = own.credential
  const forged = { ...(await passkeyAnswer(fixture.ctx(), theirs)) }
  const body = { sealed: forged.sealed, credential: { ...forged.credential, id, rawId } }
  const attempt = passkeySignIn(fixture.ctx(), {
    ...NO_INPUT,
    body: { ...body, rememberMe: false },
  })
  await rejected(attempt, 'FACTOR_REFUSED')
  const [listed] = (await listFactors(fixture.ctx(), callOf(stranger))).passkeys
  const params = { id: listed?.id ?? '' }
  await rejected(removePasskey(fixture.ctx(), { ...callOf(account), params }), 'NOT_FOUND')
})

test('passkeys are named by what keeps them, or by the browser, and renamed by their owner alone', async () => {
  const { fixture, account, stranger } = await openTwo()
  const named = async () => {
    const { passkeys } = await listFactors(fixture.ctx(), callOf(account))
    return passkeys.map(({ name }) => name)
  }
  await setUpPasskey(fixture.ctx(), account, '08987058-cadc-4b81-b6e1-30de50dcbe96')
  fixture.advance(1_000)
  await setUpPasskey(fixture.ctx(), account, 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd')
  fixture.advance(1_000)
  await setUpPasskey(fixture.ctx(), account, 'ffffffff-ffff-4fff-8fff-ffffffffffff')
  const { device } = fixture.ctx().visitor
  expect(await named()).toEqual(['Windows Hello', 'iCloud Keychain', device])
  const [listed] = (await listFactors(fixture.ctx(), callOf(account))).passkeys
  const call = { params: { id: listed?.id ?? '' }, body: { name: 'Work laptop' } }
  await rejected(renamePasskey(fixture.ctx(), { ...callOf(stranger), ...call }), 'NOT_FOUND')
  await renamePasskey(fixture.ctx(), { ...callOf(account), ...call })
  expect(await named()).toEqual(['Work laptop', 'iCloud Keychain', device])
})

test("another account's passkey is not added, and leaves no recovery codes that nobody saw", async () => {
  const { fixture, account, stranger } = await openTwo()
  const { passkey } = await setUpPasskey(fixture.ctx(), stranger)
  const { sealed, options } = await startPasskey(fixture.ctx(), callOf(account))
  const body = { sealed, credential: passkey.create(options) }
  const add = () =>
    rejected(addPasskey(fixture.ctx(), { ...callOf(account), body }), 'FACTOR_REFUSED')
  await add()
  const other = await openSession(fixture.ctx(), account.userId)
  expect((await setUpTotp(fixture.ctx(), account)).recoveryCodes).toHaveLength(10)
  await rejected(me(fixture.ctx(), callOf(other)), 'UNAUTHENTICATED')
  const isOwn = eq(recoveryCodes.userId, account.userId)
  await changeRows(fixture.ctx().db, recoveryCodes, { usedAt: fixture.now() }, isOwn)
  await add()
  expect((await listFactors(fixture.ctx(), callOf(account))).recoveryCodesLeft).toBe(0)
})

test('without its last factor an account signs in with one step and has no recovery codes', async () => {
  const [fixture, account] = await fixtureWith(accountWithPassword)
  await setUpTotp(fixture.ctx(), account)
  const { recoveryCodes } = await setUpPasskey(fixture.ctx(), account)
  // They came with the first factor.
  expect(recoveryCodes).toEqual([])
  const { options } = await startPasskey(fixture.ctx(), callOf(account))
  expect(options.excludeCredentials).toHaveLength(1)
  const [passkey] = (await listFactors(fixture.ctx(), callOf(account))).passkeys
  await removePasskey(fixture.ctx(), { ...callOf(account), params: { id: passkey?.id ?? '' } })
  await ticketFor(fixture, account.email)
  await removeTotp(fixture.ctx(), callOf(account))
  expect(await listFactors(fixture.ctx(), callOf(account))).toMatchObject({
    totpSince: null,
    passkeys: [],
    recoveryCodesLeft: 0,
  })
  await byPassword(fixture, account.email)
})

test('an account whose address is not verified gets no second step', async () => {
  const { fixture, claims } = await openAccount()
  await rejected(startTotp(fixture.ctx(), callOf(claims)), 'FACTOR_REFUSED')
})

test('a factor cannot be set up with the answer meant for another account', async () => {
  const { fixture, account, stranger } = await openTwo()
  const { secret, sealed, uri } = await startTotp(fixture.ctx(), callOf(account))
  expect(uri).toContain(`issuer=${brand.productName}`)
  const body = { sealed, code: codeAt(secret, fixture.now()) }
  await rejected(addTotp(fixture.ctx(), { ...callOf(stranger), body }), 'LINK_INVALID')
})

test('an app that is added again, since the answer was lost, brings the same codes and no second mail; another app is rejected', async () => {
  const [fixture, account] = await fixtureWith(accountWithPassword)
  const start = () => startTotp(fixture.ctx(), callOf(account))
  const [mine, other] = [await start(), await start()]
  const add = ({ secret, sealed }: typeof mine) =>
    addTotp(fixture.ctx(), {
      ...callOf(account),
      body: { sealed, code: codeAt(secret, fixture.now()) },
    })
  const { recoveryCodes } = await add(mine)
  expect(recoveryCodes).toHaveLength(10)
  fixture.advance(minutes(2))
  const again = await Promise.all([add(mine), add(mine)])
  expect(again.map((answer) => answer.recoveryCodes)).toEqual([recoveryCodes, recoveryCodes])
  await rejected(add(other), 'FACTOR_REFUSED')
  expect(await mailKinds(fixture, account)).toEqual(['factor_changed'])
  const ticket = await ticketFor(fixture, account.email)
  await finish(fixture, ticket, recovery(recoveryCodes[0]))
  // Once there are newer codes, the first ones are not shown any more.
  await renewRecoveryCodes(fixture.ctx(), callOf(account))
  expect((await add(mine)).recoveryCodes).toEqual([])
})

test('a sign-in during which a second step is added opens no session without it', async () => {
  const [fixture, account] = await fixtureWith(accountWithPassword)
  let added: Promise<unknown> | undefined
  const ctx = afterHash(fixture.ctx(), () => (added ??= setUpTotp(fixture.ctx(), account)))
  await rejected(signIn({ ctx: () => ctx }, account.email), 'FACTOR_REQUIRED')
})
