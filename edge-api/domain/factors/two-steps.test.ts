import { fulfilled } from '../../../tests/harness/fulfilled.ts'
import { eventKindsOf, mailsOf, rowsOf, userOf } from '../../../tests/harness/world/rows.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newAuthenticator } from '../../../tests/harness/authenticator.ts'
import { codeAt, passkeyAnswer, setUpPasskey, setUpTotp } from '../../../tests/harness/factors.ts'
import {
  cheapHash,
  createAccount,
  openAccount,
  openSession,
  worldWith,
} from '../../../tests/harness/world/account.ts'
import { callOf, createWorld, NO_INPUT, type World } from '../../../tests/harness/world/world.ts'
import { SecondStep } from '../../../src/contract/endpoint.ts'
import { FACTOR, type FactorProof } from '../../../src/contract/factor.ts'
import { brand } from '../../../site/brand.ts'
import { passkeys } from '../../db/schema/factors.ts'
import { markDevice } from '../account/device-mark.ts'
import type { Claims } from '../account/signed.ts'
import { me } from '../account/update-profile.ts'
import { afterHash } from '../../../tests/harness/world/hashing.ts'
import { Refusal } from '../refusal.ts'
import { login } from '../session/login.ts'
import { passkeySignIn } from '../session/passkey-sign-in.ts'
import { secondStep } from '../session/second-step.ts'
import { days, hours, minutes, seconds } from '../time.ts'
import { listFactors, renewRecoveryCodes } from './list-factors.ts'
import { addPasskey, removePasskey, renamePasskey, startPasskey } from './passkey-factor.ts'
import { userHandleOf } from './passkey.ts'
import { stepUp } from './step-up.ts'
import { addTotp, removeTotp, startTotp } from './totp-factor.ts'

const PASSWORD = 'Quiet-Otter-42'

const accountWithPassword = (world: World) =>
  createAccount(world.ctx(), { passwordHash: cheapHash(), emailVerifiedAt: world.now() })

function byPassword(world: World, email: string) {
  return login(world.ctx(), { ...NO_INPUT, body: { email, password: PASSWORD, rememberMe: true } })
}

/** The code of a refusal, and what it hands out instead of a session. */
async function refusalOf(refused: Promise<unknown>) {
  try {
    await refused
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const secondStep = SecondStep.safeParse(error.detail.extra?.['secondStep']).data
    return { code: error.code, ticket: secondStep?.ticket ?? '', methods: secondStep?.methods }
  }
  throw new Error('it was not refused')
}

async function ticketFor(world: World, email: string): Promise<string> {
  const { code, ticket } = await refusalOf(byPassword(world, email))
  expect(code).toBe('FACTOR_REQUIRED')
  return ticket
}

function finish(world: Pick<World, 'ctx'>, ticket: string, proof: FactorProof) {
  return secondStep(world.ctx(), { ...NO_INPUT, body: { ticket, proof } })
}

/** The world as a browser in another network sees it. */
const elsewhere = ({ ctx }: World, ipPrefix: string) => ({
  ctx: () => ({ ...ctx(), visitor: { ...ctx().visitor, ipPrefix } }),
})

const mailKinds = async (world: World, { userId }: { userId: string }) =>
  (await mailsOf(world.ctx(), userId)).map(({ kind }) => kind)

test('a code works once, also in two sign-ins at the same moment, and so does a ticket', async () => {
  const [world, account] = await worldWith(accountWithPassword)
  const { secret } = await setUpTotp(world.ctx(), account)
  const setUpCode = codeAt(secret, world.now())
  const [one, other] = [
    await ticketFor(world, account.email),
    await ticketFor(world, account.email),
  ]
  const usedAlready = finish(world, one, { kind: 'totp', code: setUpCode })
  expect((await refusalOf(usedAlready)).code).toBe('FACTOR_REFUSED')
  world.advance(seconds(30))
  const code = codeAt(secret, world.now())
  const tries = await Promise.allSettled([
    finish(world, one, { kind: 'totp', code }),
    finish(world, other, { kind: 'totp', code }),
  ])
  expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const [opened] = tries.flatMap((tried) => (tried.status === 'fulfilled' ? [tried.value] : []))
  // The first step's "Remember me".
  expect(Date.parse(opened?.expiresAt ?? '') - world.now()).toBe(days(30))
  world.advance(seconds(30))
  const next = { kind: 'totp' as const, code: codeAt(secret, world.now()) }
  const used = tries[0].status === 'fulfilled' ? one : other
  expect((await refusalOf(finish(world, used, next))).code).toBe('LINK_INVALID')
})

test('a ticket is good for five minutes and for its own account', async () => {
  const world = createWorld()
  const [account, stranger] = [await accountWithPassword(world), await accountWithPassword(world)]
  const { secret } = await setUpTotp(world.ctx(), account)
  const { recoveryCodes } = await setUpTotp(world.ctx(), stranger)
  const ticket = await ticketFor(world, account.email)
  const [theirs = ''] = recoveryCodes
  const withTheirs = finish(world, ticket, { kind: 'recovery', code: theirs.replaceAll('-', '') })
  expect((await refusalOf(withTheirs)).code).toBe('FACTOR_REFUSED')
  world.advance(minutes(2))
  const old = { kind: 'totp' as const, code: codeAt(secret, world.now() - minutes(1)) }
  expect((await refusalOf(finish(world, ticket, old))).code).toBe('FACTOR_REFUSED')
  world.advance(minutes(3))
  const late = finish(world, ticket, { kind: 'totp', code: codeAt(secret, world.now()) })
  expect((await refusalOf(late)).code).toBe('LINK_INVALID')
})

test('after twenty wrong codes no code is checked for a day; many at once do not get around it', async () => {
  const [world, account] = await worldWith(accountWithPassword)
  const { secret, recoveryCodes } = await setUpTotp(world.ctx(), account)
  const ticket = await ticketFor(world, account.email)
  world.advance(minutes(1))
  const wrong = () => refusalOf(finish(world, ticket, { kind: 'totp', code: '000000' }))
  const codes = await Promise.all(Array.from({ length: 25 }, wrong))
  expect(codes.filter(({ code }) => code === 'FACTOR_REFUSED')).toHaveLength(20)
  expect(codes.filter(({ code }) => code === 'RATE_LIMITED')).toHaveLength(5)
  await world.drain()
  expect(await eventKindsOf(world.ctx(), account.userId)).toContain('factor_failed')
  const right = () => ({ kind: 'totp' as const, code: codeAt(secret, world.now()) })
  const refusal = { code: 'RATE_LIMITED', detail: { retryAfterSeconds: expect.any(Number) } }
  await expect(finish(world, ticket, right())).rejects.toMatchObject(refusal)
  // A recovery code still gets in.
  const [code = ''] = recoveryCodes
  await finish(world, ticket, { kind: 'recovery', code: code.replaceAll('-', '') })
  world.advance(hours(24))
  await finish(world, await ticketFor(world, account.email), right())
})

test('wrong codes of a stolen session and of strangers lock neither another session nor a browser that the account knows', async () => {
  const [world, account] = await worldWith(accountWithPassword)
  const { secret } = await setUpTotp(world.ctx(), account)
  world.advance(minutes(1))
  const right = () => ({ kind: 'totp' as const, code: codeAt(secret, world.now()) })
  const stolen = await openSession(world.ctx(), account.userId)
  const wrong = { kind: 'totp' as const, code: '000000' }
  const guess = (claims: Claims, proof: FactorProof = wrong) =>
    stepUp(world.ctx(), { ...callOf(claims), body: { proof } })
  for (let time = 0; time < 20; time += 1) await refusalOf(guess(stolen))
  expect((await refusalOf(guess(stolen, right()))).code).toBe('RATE_LIMITED')
  const app = { userId: account.userId, sessionId: account.sessionId, approvedBy: stolen.sessionId }
  expect((await refusalOf(guess(app, right()))).code).toBe('RATE_LIMITED')
  await guess(account, right())
  const ticket = await ticketFor(world, account.email)
  for (let time = 0; time < 20; time += 1) await refusalOf(finish(world, ticket, wrong))
  world.advance(minutes(1))
  expect((await refusalOf(finish(world, ticket, right()))).code).toBe('RATE_LIMITED')
  let given = ''
  const keep = (mark: string) => void (given = mark)
  const known = { ctx: () => ({ ...world.ctx(), deviceMark: { given, keep } }) }
  const { emailKey, passwordHash } = await userOf(world.ctx(), account.userId)
  await markDevice(known.ctx(), { emailKey, passwordHash })
  await finish(known, ticket, right())
})

test('one of ten renewals at once shows codes, which work, and a ticket spends one recovery code', async () => {
  const [world, account] = await worldWith(accountWithPassword)
  await setUpTotp(world.ctx(), account)
  const renewals = await Promise.allSettled(
    Array.from({ length: 10 }, () => renewRecoveryCodes(world.ctx(), callOf(account))),
  )
  const [renewed, ...others] = renewals.flatMap((one) =>
    one.status === 'fulfilled' ? [one.value.recoveryCodes] : [],
  )
  expect(others).toEqual([])
  const told = renewals.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []))
  expect(told).toEqual(told.map(() => FACTOR.justRenewed))
  const ticket = await ticketFor(world, account.email)
  const tries = (renewed ?? [])
    .slice(0, 4)
    .map((code) => finish(world, ticket, { kind: 'recovery', code: code.replaceAll('-', '') }))
  expect(await fulfilled(tries)).toHaveLength(1)
  expect((await listFactors(world.ctx(), callOf(account))).recoveryCodesLeft).toBe(9)
})

test('a right code does not give a guesser more wrong ones', async () => {
  const [world, account] = await worldWith(accountWithPassword)
  const { secret } = await setUpTotp(world.ctx(), account)
  const ticket = await ticketFor(world, account.email)
  const guess = () => refusalOf(finish(world, ticket, { kind: 'totp', code: '000000' }))
  for (let time = 0; time < 19; time += 1) await guess()
  world.advance(minutes(1))
  const right = { kind: 'totp' as const, code: codeAt(secret, world.now()) }
  await finish(world, await ticketFor(world, account.email), right)
  expect((await guess()).code).toBe('FACTOR_REFUSED')
  expect((await guess()).code).toBe('RATE_LIMITED')
})

test('each of ten recovery codes works once; new ones end the old ones', async () => {
  const [world, account] = await worldWith(accountWithPassword)
  const { recoveryCodes } = await setUpTotp(world.ctx(), account)
  expect(new Set(recoveryCodes).size).toBe(10)
  const use = async (shown = '', from: Pick<World, 'ctx'> = world) => {
    const proof = { kind: 'recovery' as const, code: shown.replaceAll('-', '') }
    return finish(from, await ticketFor(world, account.email), proof)
  }
  await use(recoveryCodes[0])
  // One about the authenticator app, one about the code, and none about a new device.
  expect(await mailKinds(world, account)).toEqual(['factor_changed', 'factor_changed'])
  expect(await eventKindsOf(world.ctx(), account.userId)).toContain('recovery_code_used')
  expect((await refusalOf(use(recoveryCodes[0]))).code).toBe('FACTOR_REFUSED')
  await world.drain()
  expect(await eventKindsOf(world.ctx(), account.userId)).toContain('factor_failed')
  expect((await listFactors(world.ctx(), callOf(account))).recoveryCodesLeft).toBe(9)
  const renewed = await renewRecoveryCodes(world.ctx(), callOf(account))
  expect((await refusalOf(use(recoveryCodes[1]))).code).toBe('FACTOR_REFUSED')
  await use(renewed.recoveryCodes[0], elsewhere(world, '198.51.100.0/24'))
  expect(await mailKinds(world, account)).toContain('new_device')
})

test('four calls at once with one answer of a passkey sign in once, and an answer is good for five minutes', async () => {
  const [world, account] = await worldWith(accountWithPassword)
  const { passkey } = await setUpPasskey(world.ctx(), account)
  const answer = async () => ({
    ...(await passkeyAnswer(world.ctx(), passkey)),
    rememberMe: false,
  })
  const body = await answer()
  const signIns = Array.from({ length: 4 }, () => passkeySignIn(world.ctx(), { ...NO_INPUT, body }))
  const opened = await fulfilled(signIns)
  expect(opened.map(({ expiresAt }) => Date.parse(expiresAt) - world.now())).toEqual([hours(12)])
  const stored = await rowsOf(world.ctx().db, passkeys, eq(passkeys.userId, account.userId))
  expect(stored).toMatchObject([{ signCount: 1 }])
  expect(await mailKinds(world, account)).not.toContain('new_device')
  const { ctx } = elsewhere(world, '198.51.100.0/24')
  await passkeySignIn(ctx(), { ...NO_INPUT, body: await answer() })
  expect(await mailKinds(world, account)).toContain('new_device')
  const late = await answer()
  world.advance(minutes(5))
  const refused = passkeySignIn(world.ctx(), { ...NO_INPUT, body: late })
  expect((await refusalOf(refused)).code).toBe('FACTOR_REFUSED')
})

test.each([
  ['of another origin', { origin: 'https://evil.example' }],
  ['that does not verify its user', { verifiesUser: false }],
])('a passkey %s is refused', async (_, options) => {
  const [world, account] = await worldWith(accountWithPassword)
  const ctx = world.ctx()
  const passkey = newAuthenticator({ origin: ctx.origin, ...options })
  const { sealed, options: asked } = await startPasskey(ctx, callOf(account))
  const body = { sealed, credential: passkey.create(asked) }
  const added = addPasskey(ctx, { ...callOf(account), body })
  expect((await refusalOf(added)).code).toBe('FACTOR_REFUSED')
})

test('a challenge makes one passkey, and an answer that names another account is refused', async () => {
  const [world, claims] = await worldWith(accountWithPassword)
  const ctx = world.ctx()
  const { sealed, options } = await startPasskey(ctx, callOf(claims))
  const made = [0, 1].map(() => newAuthenticator({ origin: ctx.origin }))
  const [first] = made
  const add = (passkey: (typeof made)[number]) =>
    addPasskey(ctx, { ...callOf(claims), body: { sealed, credential: passkey.create(options) } })
  const outcomes = []
  for (const passkey of made) {
    outcomes.push(
      await add(passkey).then(
        () => 'added',
        (error: Refusal) => error.code,
      ),
    )
  }
  expect(outcomes).toEqual(['added', 'FACTOR_REFUSED'])
  if (first === undefined) throw new Error('no passkey')
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

test("another account's passkey and a forged answer are refused", async () => {
  const world = createWorld()
  const [account, stranger] = [await accountWithPassword(world), await accountWithPassword(world)]
  const { passkey } = await setUpPasskey(world.ctx(), account)
  const { passkey: theirs } = await setUpPasskey(world.ctx(), stranger)
  const ticket = await ticketFor(world, account.email)
  const answer = await passkeyAnswer(world.ctx(), theirs)
  const withTheirs = finish(world, ticket, { kind: 'passkey', ...answer })
  expect((await refusalOf(withTheirs)).code).toBe('FACTOR_REFUSED')
  // The victim's credential, signed with another key.
  const own = await passkeyAnswer(world.ctx(), passkey)
  const { id, rawId } = own.credential
  const forged = { ...(await passkeyAnswer(world.ctx(), theirs)) }
  const body = { sealed: forged.sealed, credential: { ...forged.credential, id, rawId } }
  const attempt = passkeySignIn(world.ctx(), { ...NO_INPUT, body: { ...body, rememberMe: false } })
  expect((await refusalOf(attempt)).code).toBe('FACTOR_REFUSED')
  const [listed] = (await listFactors(world.ctx(), callOf(stranger))).passkeys
  const params = { id: listed?.id ?? '' }
  const removed = removePasskey(world.ctx(), { ...callOf(account), params })
  expect((await refusalOf(removed)).code).toBe('NOT_FOUND')
})

test('passkeys are named by what keeps them, or by the browser, and renamed by their owner alone', async () => {
  const world = createWorld()
  const [account, stranger] = [await accountWithPassword(world), await accountWithPassword(world)]
  const named = async () => {
    const { passkeys } = await listFactors(world.ctx(), callOf(account))
    return passkeys.map(({ name }) => name)
  }
  await setUpPasskey(world.ctx(), account, '08987058-cadc-4b81-b6e1-30de50dcbe96')
  world.advance(1_000)
  await setUpPasskey(world.ctx(), account, 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd')
  world.advance(1_000)
  await setUpPasskey(world.ctx(), account, 'ffffffff-ffff-4fff-8fff-ffffffffffff')
  const { device } = world.ctx().visitor
  expect(await named()).toEqual(['Windows Hello', 'iCloud Keychain', device])
  const [listed] = (await listFactors(world.ctx(), callOf(account))).passkeys
  const call = { params: { id: listed?.id ?? '' }, body: { name: 'Work laptop' } }
  const theirs = renamePasskey(world.ctx(), { ...callOf(stranger), ...call })
  expect((await refusalOf(theirs)).code).toBe('NOT_FOUND')
  await renamePasskey(world.ctx(), { ...callOf(account), ...call })
  expect(await named()).toEqual(['Work laptop', 'iCloud Keychain', device])
})

test("another account's passkey is not added, and leaves no recovery codes that nobody saw", async () => {
  const world = createWorld()
  const [account, stranger] = [await accountWithPassword(world), await accountWithPassword(world)]
  const { passkey } = await setUpPasskey(world.ctx(), stranger)
  const { sealed, options } = await startPasskey(world.ctx(), callOf(account))
  const body = { sealed, credential: passkey.create(options) }
  const added = addPasskey(world.ctx(), { ...callOf(account), body })
  expect((await refusalOf(added)).code).toBe('FACTOR_REFUSED')
  const other = await openSession(world.ctx(), account.userId)
  expect((await setUpTotp(world.ctx(), account)).recoveryCodes).toHaveLength(10)
  expect((await refusalOf(me(world.ctx(), callOf(other)))).code).toBe('UNAUTHENTICATED')
})

test('without its last factor an account signs in with one step and has no recovery codes', async () => {
  const [world, account] = await worldWith(accountWithPassword)
  await setUpTotp(world.ctx(), account)
  const { recoveryCodes } = await setUpPasskey(world.ctx(), account)
  // They came with the first factor.
  expect(recoveryCodes).toEqual([])
  const { options } = await startPasskey(world.ctx(), callOf(account))
  expect(options.excludeCredentials).toHaveLength(1)
  const [passkey] = (await listFactors(world.ctx(), callOf(account))).passkeys
  await removePasskey(world.ctx(), { ...callOf(account), params: { id: passkey?.id ?? '' } })
  await ticketFor(world, account.email)
  await removeTotp(world.ctx(), callOf(account))
  expect(await listFactors(world.ctx(), callOf(account))).toMatchObject({
    totpSince: null,
    passkeys: [],
    recoveryCodesLeft: 0,
  })
  await byPassword(world, account.email)
})

test('an account whose address is not verified gets no second step', async () => {
  const { world, claims } = await openAccount()
  expect((await refusalOf(startTotp(world.ctx(), callOf(claims)))).code).toBe('FACTOR_REFUSED')
})

test('a factor cannot be set up with the answer meant for another account', async () => {
  const world = createWorld()
  const [account, stranger] = [await accountWithPassword(world), await accountWithPassword(world)]
  const { secret, sealed, uri } = await startTotp(world.ctx(), callOf(account))
  expect(uri).toContain(`issuer=${brand.productName}`)
  const body = { sealed, code: codeAt(secret, world.now()) }
  const added = addTotp(world.ctx(), { ...callOf(stranger), body })
  expect((await refusalOf(added)).code).toBe('LINK_INVALID')
})

test('a sign-in during which a second step is added opens no session without it', async () => {
  const [world, account] = await worldWith(accountWithPassword)
  let added: Promise<unknown> | undefined
  const ctx = afterHash(world.ctx(), () => (added ??= setUpTotp(world.ctx(), account)))
  const body = { email: account.email, password: PASSWORD, rememberMe: false }
  expect((await refusalOf(login(ctx, { ...NO_INPUT, body }))).code).toBe('FACTOR_REQUIRED')
})
