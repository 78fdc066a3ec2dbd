import { approveDevice } from '#harness/fixture/device.ts'
import { changeRows, newLink } from '#harness/fixture/rows.ts'
import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newAuthenticator } from '#harness/authenticator.ts'
import { passkeyAnswer, setUpPasskey, setUpTotp } from '#harness/factors.ts'
import { adminOf } from '#harness/fixture/admin.ts'
import { createAccount } from '#harness/fixture/account.ts'
import { createFixture, HASH_COST_OF_TESTS, NO_INPUT } from '#harness/fixture/fixture.ts'
import { SecondStep } from '../../../src/contract/endpoint.ts'
import { AUTH } from '../../../src/contract/messages.ts'
import { sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import { factorColumns } from '../account/has-factor.ts'
import { notMe } from '../mailed-link/not-me.ts'
import { hashPassword, matchPassword } from '../crypto/hash-password.ts'
import { ApiError } from '../api-error.ts'
import { minutes, seconds } from '../time.ts'
import { passkeySignIn } from './passkey-sign-in.ts'
import { redeemDeviceCode } from './redeem-device-code.ts'
import { GoogleSignInError, resolveIdentity } from './resolve-identity.ts'
import { secondStep } from './second-step.ts'
import { finishGoogleSignIn } from './google-ticket.ts'
import { signIn, resetWith } from '#harness/fixture/sign-in.ts'
import { PASSWORD } from '#harness/user.ts'

const FACTORS = ['no factor', 'TOTP', 'passkey', 'both'] as const
const STATES = [...FACTORS, 'suspended', 'locked', 'unverified'] as const
type State = (typeof STATES)[number]
const LINKS = ['reset', 'not me', 'correction'] as const
const WAYS = ['password', 'Google', 'passkey', 'device code', ...LINKS, 'recovery code'] as const
type Way = (typeof WAYS)[number]

/** The same in every state. */
const always = (cell: string): Record<State, string> => ({
  ...{ 'no factor': cell, TOTP: cell, passkey: cell, both: cell },
  ...{ suspended: cell, locked: cell, unverified: cell },
})

/**
 * What each sign-in method asks of an account in each state, and what it ends: `in` opens a session, `asks` names the factors, one
 * of which must come first. "Recovery code" begins with the password; without a factor there is no ticket to use it with.
 */
const TABLE: Record<Way, Record<State, string>> = {
  password: {
    'no factor': 'in',
    TOTP: 'asks totp, recovery',
    passkey: 'asks passkey, recovery',
    both: 'asks passkey, totp, recovery',
    suspended: 'INVALID_CREDENTIALS',
    locked: 'locked',
    unverified: 'in',
  },
  Google: {
    'no factor': 'in; ends session, password',
    TOTP: 'asks totp, recovery',
    passkey: 'asks passkey, recovery',
    both: 'asks passkey, totp, recovery',
    suspended: 'google_suspended',
    locked: 'google_locked',
    unverified: 'google_verify_first',
  },
  passkey: {
    'no factor': 'FACTOR_REFUSED',
    TOTP: 'FACTOR_REFUSED',
    passkey: 'in',
    both: 'in',
    suspended: 'FACTOR_REFUSED',
    locked: 'locked',
    unverified: 'FACTOR_REFUSED',
  },
  'device code': { ...always('in'), suspended: 'UNAUTHENTICATED', locked: 'UNAUTHENTICATED' },
  reset: { ...always('opens none; ends session, password'), locked: 'opens none; ends session' },
  'not me': { ...always('opens none; ends session, password'), locked: 'opens none; ends session' },
  correction: {
    ...always('opens none; ends session, proof'),
    unverified: 'opens none; ends session',
  },
  'recovery code': {
    'no factor': 'LINK_INVALID',
    TOTP: 'in',
    passkey: 'in',
    both: 'in',
    suspended: 'INVALID_CREDENTIALS',
    locked: 'locked',
    unverified: 'LINK_INVALID',
  },
}

/** An account in a state, with a session that was open before. Suspended and locked accounts have both factors. */
async function accountIn(state: State) {
  const fixture = createFixture()
  const email = `${randomUUID()}@example.test`
  const { ctx } = fixture
  const claims = await createAccount(ctx(), {
    email,
    emailKey: email,
    passwordHash: await hashPassword(PASSWORD, ctx().randomBytes, HASH_COST_OF_TESTS),
    emailVerifiedAt: state === 'unverified' ? null : fixture.now(),
  })
  const { userId } = claims
  const hasBoth = ['both', 'suspended', 'locked'].includes(state)
  const hasTotp = state === 'TOTP' || hasBoth
  const hasPasskey = state === 'passkey' || hasBoth
  const codes = hasTotp ? (await setUpTotp(ctx(), claims)).recoveryCodes : []
  const added = hasPasskey ? await setUpPasskey(ctx(), claims) : null
  const close = (closing: 'suspendedAt' | 'lockedAt') =>
    changeRows(ctx().db, users, { [closing]: fixture.now() }, eq(users.id, userId))
  if (state === 'suspended') await close('suspendedAt')
  if (state === 'locked') await close('lockedAt')
  fixture.advance(minutes(1))
  return {
    ...{ fixture, ctx, claims, email, close },
    passkey: added?.passkey ?? newAuthenticator({ origin: ctx().origin }),
    codes: [...codes, ...(added?.recoveryCodes ?? [])],
  }
}

type Someone = Awaited<ReturnType<typeof accountIn>>

const byPassword = (someone: Someone) => signIn(someone, someone.email)

async function googleTicket({ ctx, email }: Someone) {
  const name = { name: 'Ada', firstName: null, lastName: null }
  const identity = { subject: randomUUID(), email, isEmailVerified: true, ...name }
  return resolveIdentity(ctx(), identity)
}

const mailed = ({ ctx, claims }: Someone, purpose: 'reset' | 'not_me') =>
  newLink(ctx(), claims.userId, purpose)

const GO: Record<Way, (someone: Someone) => Promise<unknown>> = {
  password: byPassword,
  Google: async (someone) => finishGoogleSignIn(someone.ctx(), await googleTicket(someone)),
  passkey: async ({ ctx, passkey }) => {
    const answer = await passkeyAnswer(ctx(), passkey)
    return passkeySignIn(ctx(), { ...NO_INPUT, body: { ...answer, rememberMe: false } })
  },
  'device code': async ({ fixture, ctx, claims }) => {
    const body = await approveDevice(ctx(), claims)
    fixture.advance(seconds(5))
    return redeemDeviceCode(ctx(), { ...NO_INPUT, body })
  },
  reset: async (someone) => {
    await resetWith(someone, await mailed(someone, 'reset'), 'Loud-Heron-43')
  },
  'not me': async (someone) => {
    const params = { token: await mailed(someone, 'not_me') }
    await notMe(someone.ctx(), { ...NO_INPUT, params })
  },
  correction: async ({ fixture, claims: { userId: user } }) => {
    const email = `${randomUUID()}@example.test`
    await adminOf(fixture).execute('correct_address', { user, email })
  },
  'recovery code': async (someone) => {
    const ticket = await ticketOf(byPassword(someone))
    const [first = 'AAAA-AAAA-AAAA-AAAA'] = someone.codes
    const proof = { kind: 'recovery', code: first.replaceAll('-', '') } as const
    return secondStep(someone.ctx(), { ...NO_INPUT, body: { ticket, proof } })
  },
}

/** The ticket of a first step; a made-up one when the step opened a session. */
async function ticketOf(first: Promise<unknown>): Promise<string> {
  try {
    await first
  } catch (error) {
    if (error instanceof ApiError && error.code === 'FACTOR_REQUIRED') {
      return SecondStep.parse(error.detail.extra?.['secondStep']).ticket
    }
    throw error
  }
  return 'no-ticket'
}

/** What the caller is asked for, or the code of the rejection. A method that opens no session answers nothing. */
async function answerOf(going: Promise<unknown>): Promise<string> {
  try {
    return (await going) === undefined ? 'opens none' : 'in'
  } catch (error) {
    if (error instanceof GoogleSignInError) return error.problem
    if (!(error instanceof ApiError)) throw error
    if (error.message === AUTH.locked) return 'locked'
    if (error.code !== 'FACTOR_REQUIRED') return error.code
    return `asks ${SecondStep.parse(error.detail.extra?.['secondStep']).methods.join(', ')}`
  }
}

/** What an account has. The password of a locked one does not work. */
async function partsOf({ ctx, claims }: Someone) {
  const { db } = ctx()
  const { rows } = await db.batch({
    rows: db
      .select({
        session: sql<number>`${sessions.endedAt} IS NULL`,
        password: users.passwordHash,
        isLocked: sql<number>`${users.lockedAt} IS NOT NULL`,
        proof: users.emailVerifiedAt,
        ...factorColumns(claims.userId),
      })
      .from(users)
      .innerJoin(sessions, eq(sessions.userId, users.id))
      .where(eq(sessions.id, claims.sessionId)),
  })
  const [row] = rows
  if (row === undefined) throw new Error('the account is gone')
  return {
    session: row.session === 1,
    password:
      row.isLocked === 0 &&
      (await matchPassword(PASSWORD, row.password, HASH_COST_OF_TESTS)) === PASSWORD,
    proof: row.proof !== null,
    TOTP: row.hasTotp === 1,
    passkey: row.hasPasskey === 1,
  }
}

const CELLS = WAYS.flatMap((way) =>
  STATES.map((state) => ({ way, state, cell: TABLE[way][state] })),
)

test.each(CELLS)(
  '$way of an account in the state "$state": $cell',
  async ({ way, state, cell }) => {
    const someone = await accountIn(state)
    const before = Object.entries(await partsOf(someone))
    const answer = await answerOf(GO[way](someone))
    const after = new Map(Object.entries(await partsOf(someone)))
    const ended = before.flatMap(([name, was]) => (was && after.get(name) !== true ? [name] : []))
    expect([answer, ...(ended.length > 0 ? [`ends ${ended.join(', ')}`] : [])].join('; ')).toBe(
      cell,
    )
  },
)

test.each([
  ['suspendedAt', ['LINK_INVALID', 'LINK_INVALID', 'DEVICE_CODE_REFUSED']],
  ['lockedAt', ['locked', 'locked', 'locked']],
] as const)('with %s set, a sign-in that is half done is rejected', async (closing, rejections) => {
  const someone = await accountIn('TOTP')
  const { ctx, fixture, claims, close } = someone
  const ticket = await ticketOf(byPassword(someone))
  const ofGoogle = await googleTicket(someone)
  const body = await approveDevice(ctx(), claims)
  fixture.advance(seconds(5))
  await close(closing)
  const proof = { kind: 'recovery', code: '0'.repeat(16) } as const
  const doors = [
    secondStep(ctx(), { ...NO_INPUT, body: { ticket, proof } }),
    finishGoogleSignIn(ctx(), ofGoogle),
    redeemDeviceCode(ctx(), { ...NO_INPUT, body }),
  ]
  expect(await Promise.all(doors.map(answerOf))).toEqual(rejections)
})
