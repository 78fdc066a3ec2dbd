import { fulfilled } from '#harness/fulfilled.ts'
import { changeRows, eventKindsOf, mailsOf, rowsOf, userOf } from '#harness/fixture/rows.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { setUpTotp } from '#harness/factors.ts'
import { cheapHash, createAccount } from '#harness/fixture/account.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { createFixture, withEachBatch, type Fixture } from '#harness/fixture/fixture.ts'
import { sessions, signInTickets } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { finishGoogleSignIn } from './google-ticket.ts'
import { receiveGoogleAnswer, startGoogleSignIn } from './google-sign-in.ts'
import {
  type AuthorizationAnswer,
  type Identity,
  type IdentityProvider,
  IdentityRejected,
  IdentityUnavailable,
} from '../ports/identity.ts'
import { hours } from '../time.ts'
import { signIn, elsewhere } from '#harness/fixture/sign-in.ts'

function somebody(overrides: Partial<Identity> = {}): Identity {
  const mark = crypto.randomUUID().replaceAll('-', '').slice(0, 12)
  return {
    subject: `sub-${mark}`,
    email: `${mark}@example.test`,
    isEmailVerified: true,
    name: `Name ${mark}`,
    firstName: 'Name',
    lastName: mark,
    ...overrides,
  }
}

/** What an account has of an identity whose address it has verified. */
function verified({ now }: Fixture, { email }: Identity) {
  return { email, emailKey: email, emailVerifiedAt: now() }
}

/** A fixture whose identity provider vouches for one person, or throws. It records its calls. */
function openFixture(identity: Identity | Error) {
  const asked: AuthorizationAnswer[] = []
  const provider: IdentityProvider = {
    authorizationUrl: (request) => `https://provider.test/?${new URLSearchParams({ ...request })}`,
    identify: (answer) => {
      asked.push(answer)
      return identity instanceof Error ? Promise.reject(identity) : Promise.resolve(identity)
    },
  }
  const fixture = createFixture({ identity: provider })

  async function start() {
    const { location, cookie } = await startGoogleSignIn(fixture.ctx(), provider, '/profile')
    return { cookie, sent: Object.fromEntries(new URL(location).searchParams) }
  }
  async function comeBack(ctx: Context = fixture.ctx()) {
    const { cookie, sent } = await start()
    return receiveGoogleAnswer(ctx, { code: 'code', state: sent['state'], cookie })
  }
  async function ticketOf() {
    const { ticket } = await comeBack()
    if (ticket === null) throw new Error('not let in')
    return ticket
  }
  const enter = async (ctx = fixture.ctx()) => finishGoogleSignIn(ctx, await ticketOf())
  return { fixture, asked, start, comeBack, ticketOf, enter }
}

test('a transaction expires after ten minutes, and then the provider is not asked', async () => {
  const { fixture, asked, start } = openFixture(somebody())
  const { cookie, sent } = await start()
  fixture.advance(10 * 60_000 + 1_000)
  const answer = await receiveGoogleAnswer(fixture.ctx(), {
    code: 'c',
    state: sent['state'],
    cookie,
  })
  expect(answer).toEqual({ next: null, ticket: null, problem: 'google_expired' })
  expect(asked).toEqual([])
})

const LINK_INVALID = { code: 'LINK_INVALID' }

test('a ticket of Google expires after a minute', async () => {
  const { fixture, ticketOf } = openFixture(somebody())
  const ticket = await ticketOf()
  fixture.advance(60_000)
  await expect(finishGoogleSignIn(fixture.ctx(), ticket)).rejects.toMatchObject(LINK_INVALID)
})

test('three attempts at once to redeem one ticket open one session', async () => {
  const { fixture, ticketOf } = openFixture(somebody())
  const ticket = await ticketOf()
  const tries = [1, 2, 3].map(() => finishGoogleSignIn(fixture.ctx(), ticket))
  const [opened, ...others] = await fulfilled(tries)
  expect(others).toEqual([])
  // And the history has one sign-in.
  const kinds = await eventKindsOf(fixture.ctx(), opened?.user.id ?? '')
  expect(kinds.filter((kind) => kind.startsWith('signed_in'))).toHaveLength(1)
})

test('a ticket of Google is stored as a hash only, and is deleted with its account', async () => {
  const { fixture, ticketOf } = openFixture(somebody())
  const ticket = await ticketOf()
  const { db, now } = fixture.ctx()
  const isThisCode = eq(signInTickets.ticketHash, ticket.hash)
  const [row] = await rowsOf(db, signInTickets, isThisCode)
  expect(JSON.stringify(row)).not.toContain(ticket.code)
  expect(JSON.stringify(row)).not.toContain(ticket.secret)
  const isOwner = eq(users.id, row?.userId ?? '')
  await changeRows(db, users, { deletedAt: now, googleSubject: null }, isOwner)
  await expect(finishGoogleSignIn(fixture.ctx(), ticket)).rejects.toMatchObject(LINK_INVALID)
})

test('a new account is registered and signed in, and a new device is reported from the second on', async () => {
  // Other tests use up the trials of a day, or turn them off.
  await emptyFixture()
  const { fixture, enter } = openFixture(somebody())
  const { user, expiresAt } = await enter()
  expect(Date.parse(expiresAt) - fixture.now()).toBe(hours(12))
  expect(user).toMatchObject({ isEmailVerified: true, unreadNotices: 1 })
  await enter()
  expect(await eventKindsOf(fixture.ctx(), user.id)).toEqual([
    ...['registered', 'signed_in', 'signed_in', 'trial_granted'],
  ])
  expect(await mailsOf(fixture.ctx(), user.id)).toEqual([])
  await enter(elsewhere(fixture).ctx())
  expect(await mailsOf(fixture.ctx(), user.id)).toMatchObject([{ kind: 'new_device' }])
  // The purge deletes the sessions of an account that was away.
  await fixture.read(sql`DELETE FROM sessions WHERE user_id = ${user.id}`)
  fixture.advance(1)
  await enter()
  expect(await mailsOf(fixture.ctx(), user.id)).toHaveLength(2)
})

test('a username that is taken gets a suffix', async () => {
  const name = `Ada ${crypto.randomUUID().slice(0, 8)}`
  const first = await openFixture(somebody({ name })).enter()
  const second = await openFixture(somebody({ name })).enter()
  expect(first.user.username).toMatch(/^ada_[0-9a-f]{8}$/)
  expect(second.user.username).toMatch(new RegExp(`^${first.user.username}_[a-z0-9]{6}$`))
})

test('connecting writes the subject, one notice and one mail, whatever the case of the address', async () => {
  const identity = somebody()
  const { fixture, enter } = openFixture({ ...identity, email: identity.email.toUpperCase() })
  const { userId } = await createAccount(fixture.ctx(), verified(fixture, identity))
  const [one, other] = await Promise.all([enter(), enter()])
  expect([one.user.id, other.user.id]).toEqual([userId, userId])
  const events = await eventKindsOf(fixture.ctx(), userId)
  expect(events.filter((kind) => kind === 'google_connected')).toHaveLength(1)
  const sent = await mailsOf(fixture.ctx(), userId)
  expect(sent.filter(({ kind }) => kind === 'google_connected')).toHaveLength(1)
})

async function storedAccount(ctx: Context, userId: string) {
  const isOpen = and(eq(sessions.userId, userId), isNull(sessions.endedAt))
  const [mail] = await mailsOf(ctx, userId)
  return {
    hash: (await userOf(ctx, userId)).passwordHash,
    open: (await rowsOf(ctx.db, sessions, isOpen)).map(({ id }) => id),
    mail: JSON.parse(mail?.payload ?? 'null'),
  }
}

test('connecting ends every sign-in method that was added before the address was verified', async () => {
  const identity = somebody()
  const { fixture, ticketOf } = openFixture(identity)
  // A stranger registered the address, and its owner clicked on the verification mail.
  const { userId } = await createAccount(fixture.ctx(), {
    ...verified(fixture, identity),
    passwordHash: cheapHash(),
  })
  const ticket = await ticketOf()
  expect(await storedAccount(fixture.ctx(), userId)).toEqual({
    hash: '',
    open: [],
    mail: expect.objectContaining({ isPasswordCleared: true }),
  })
  const { user } = await finishGoogleSignIn(fixture.ctx(), ticket)
  expect(user.id).toBe(userId)
  await expect(signIn(fixture, identity.email)).rejects.toMatchObject({
    code: 'INVALID_CREDENTIALS',
  })
})

test('connecting keeps a password that was set with a mailed link, and its sessions', async () => {
  const identity = somebody()
  const { fixture, comeBack, enter } = openFixture(identity)
  const passwordHash = cheapHash()
  const claims = await createAccount(fixture.ctx(), {
    ...verified(fixture, identity),
    passwordHash,
    isPasswordVerified: true,
  })
  await comeBack()
  const { userId, sessionId } = claims
  expect(await storedAccount(fixture.ctx(), userId)).toEqual({
    hash: passwordHash,
    open: [sessionId],
    mail: expect.objectContaining({ isPasswordCleared: false }),
  })
  await setUpTotp(fixture.ctx(), claims)
  await expect(enter()).rejects.toMatchObject({ code: 'FACTOR_REQUIRED' })
  const own = await rowsOf(fixture.ctx().db, signInTickets, eq(signInTickets.userId, userId))
  const tickets = own.filter(({ purpose }) => purpose === 'second_step')
  expect(tickets).toMatchObject([{ isRemembered: false }])
})

test.each([
  [{ email: 'corrected@example.test', emailKey: 'corrected@example.test' }, null],
  [{ suspendedAt: 1 }, 'google_suspended'],
  [{ lockedAt: 1 }, 'google_locked'],
  [{ deletedAt: 1, email: '', emailKey: 'deleted meanwhile' }, null],
])('an account that changes to %j meanwhile is not connected', async (change, problem) => {
  const identity = somebody()
  const { fixture, comeBack } = openFixture(identity)
  const { userId } = await createAccount(fixture.ctx(), verified(fixture, identity))
  const ctx = fixture.ctx()
  let batches = 0
  const changeMeanwhile = async () => {
    if ((batches += 1) === 2) await changeRows(ctx.db, users, change, eq(users.id, userId))
  }
  const outcome = await comeBack({ ...ctx, db: withEachBatch(ctx.db, changeMeanwhile) })
  expect(outcome.problem).toBe(problem)
  expect(await userOf(fixture.ctx(), userId)).toMatchObject({ googleSubject: null })
})

test.each([
  ['our address is unverified', { emailVerifiedAt: null }, {}, 'google_verify_first'],
  ['Google’s address is unverified', {}, { isEmailVerified: false }, 'google_unverified'],
  ['it is suspended and connected', { suspendedAt: 1, googleSubject: '' }, {}, 'google_suspended'],
  ['it has another Google account', { googleSubject: 'other-' }, {}, 'google_other_account'],
])('an account is neither connected nor changed when %s', async (_, row, claims, problem) => {
  const identity = somebody(claims)
  const { fixture, comeBack } = openFixture(identity)
  const before = {
    ...verified(fixture, identity),
    ...row,
    ...('googleSubject' in row ? { googleSubject: `${row.googleSubject}${identity.subject}` } : {}),
  }
  const { userId } = await createAccount(fixture.ctx(), before)
  expect(await comeBack()).toEqual({ next: '/profile', ticket: null, problem })
  expect(await userOf(fixture.ctx(), userId)).toMatchObject(before)
  expect(await eventKindsOf(fixture.ctx(), userId)).toEqual([])
})

test('a provider that is unavailable or rejects changes nothing, and each has its own problem', async () => {
  const down = openFixture(new IdentityUnavailable('no answer'))
  expect(await down.comeBack()).toMatchObject({ problem: 'google_unavailable' })
  expect(down.fixture.errors).toMatchObject([{ event: 'google not available' }])
  const no = openFixture(new IdentityRejected('invalid_grant'))
  expect(await no.comeBack()).toMatchObject({ problem: 'google_failed' })
})

test('an error from Google instead of a code becomes "cancelled" or "failed"', async () => {
  const { fixture, asked, start } = openFixture(somebody())
  for (const [error, problem] of [
    ['access_denied', 'google_cancelled'],
    ['server_error', 'google_failed'],
    [undefined, 'google_failed'],
  ]) {
    const { cookie, sent } = await start()
    const answer = { error, state: sent['state'], cookie }
    expect(await receiveGoogleAnswer(fixture.ctx(), answer)).toMatchObject({
      ticket: null,
      problem,
    })
  }
  expect(asked).toEqual([])
})
