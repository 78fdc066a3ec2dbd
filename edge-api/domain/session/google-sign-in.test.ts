import { fulfilled } from '../../../tests/harness/fulfilled.ts'
import {
  changeRows,
  eventKindsOf,
  mailsOf,
  rowsOf,
  userOf,
} from '../../../tests/harness/world/rows.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { setUpTotp } from '../../../tests/harness/factors.ts'
import { cheapHash, createAccount } from '../../../tests/harness/world/account.ts'
import {
  createWorld,
  NO_INPUT,
  withEachBatch,
  type World,
} from '../../../tests/harness/world/world.ts'
import { mails } from '../../db/schema/records.ts'
import { recoveryCodes, totps } from '../../db/schema/factors.ts'
import { sessions, signInPasses } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { finishGoogleSignIn } from './sign-in-pass.ts'
import { receiveGoogleAnswer, startGoogleSignIn } from './google-sign-in.ts'
import {
  type AuthorizationAnswer,
  type Identity,
  type IdentityProvider,
  IdentityRefused,
  IdentityUnavailable,
} from '../ports/identity.ts'
import { hours } from '../time.ts'
import { login } from './login.ts'

/** An identity provider that vouches for one person, or throws. It records its calls. */
function providerOf(identity: Identity | Error) {
  const asked: AuthorizationAnswer[] = []
  const provider: IdentityProvider = {
    authorizationUrl: (request) => `https://provider.test/?${new URLSearchParams({ ...request })}`,
    identify: (answer) => {
      asked.push(answer)
      return identity instanceof Error ? Promise.reject(identity) : Promise.resolve(identity)
    },
  }
  return { provider, asked }
}

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
function verified({ now }: World, { email }: Identity) {
  return { email, emailKey: email, emailVerifiedAt: now() }
}

function openWorld(identity: Identity | Error) {
  const { provider, asked } = providerOf(identity)
  const world = createWorld({ identity: provider })

  async function start() {
    const { location, sealed } = await startGoogleSignIn(world.ctx(), provider, '/profile')
    return { sealed, sent: Object.fromEntries(new URL(location).searchParams) }
  }
  async function comeBack(ctx: Context = world.ctx()) {
    const { sealed, sent } = await start()
    return receiveGoogleAnswer(ctx, { code: 'code', state: sent['state'], sealed })
  }
  async function passOf() {
    const { pass } = await comeBack()
    if (pass === null) throw new Error('not let in')
    return pass
  }
  const enter = async (ctx = world.ctx()) => finishGoogleSignIn(ctx, await passOf())
  return { world, asked, start, comeBack, passOf, enter }
}

test('a transaction expires after ten minutes, and then the provider is not asked', async () => {
  const { world, asked, start } = openWorld(somebody())
  const { sealed, sent } = await start()
  world.advance(10 * 60_000 + 1_000)
  const answer = { code: 'c0de', state: sent['state'], sealed }
  expect(await receiveGoogleAnswer(world.ctx(), answer)).toEqual({
    next: null,
    pass: null,
    problem: 'google_expired',
  })
  expect(asked).toEqual([])
})

test('a sign-in pass expires after a minute', async () => {
  const { world, passOf } = openWorld(somebody())
  const pass = await passOf()
  world.advance(60_000)
  await expect(finishGoogleSignIn(world.ctx(), pass)).rejects.toMatchObject({
    code: 'LINK_INVALID',
  })
})

test('three attempts at once to redeem one sign-in pass open one session', async () => {
  const { world, passOf } = openWorld(somebody())
  const pass = await passOf()
  const tries = [1, 2, 3].map(() => finishGoogleSignIn(world.ctx(), pass))
  const [opened, ...others] = await fulfilled(tries)
  expect(others).toEqual([])
  // And the history has one sign-in.
  const kinds = await eventKindsOf(world.ctx(), opened?.user.id ?? '')
  expect(kinds.filter((kind) => kind.startsWith('signed_in'))).toHaveLength(1)
})

test('a pass is stored as a hash only, and is deleted with its account', async () => {
  const { world, passOf } = openWorld(somebody())
  const pass = await passOf()
  const { db, now } = world.ctx()
  const isPass = eq(signInPasses.passHash, pass.hash)
  const [row] = await rowsOf(db, signInPasses, isPass)
  expect(JSON.stringify(row)).not.toContain(pass.code)
  expect(JSON.stringify(row)).not.toContain(pass.secret)
  await changeRows(
    db,
    users,
    { deletedAt: now, googleSubject: null },
    eq(users.id, row?.userId ?? ''),
  )
  await expect(finishGoogleSignIn(world.ctx(), pass)).rejects.toMatchObject({
    code: 'LINK_INVALID',
  })
})

test('a new account is registered and signed in, and a new device is reported from the second on', async () => {
  const { world, enter } = openWorld(somebody())
  const { user, expiresAt } = await enter()
  expect(Date.parse(expiresAt) - world.now()).toBe(hours(12))
  expect(user).toMatchObject({ isEmailVerified: true, unreadNotices: 1 })
  expect(await eventKindsOf(world.ctx(), user.id)).toEqual([
    'registered',
    'signed_in',
    'trial_granted',
  ])
  await enter()
  expect(await eventKindsOf(world.ctx(), user.id)).toEqual([
    'registered',
    'signed_in',
    'signed_in',
    'trial_granted',
  ])
  expect(await mailsOf(world.ctx(), user.id)).toEqual([])
  const visitor = { ...world.ctx().visitor, ipPrefix: '198.51.100.0/24' }
  await enter({ ...world.ctx(), visitor })
  expect(await mailsOf(world.ctx(), user.id)).toMatchObject([{ kind: 'new_device' }])
  // The purge deletes the sessions of an account that was away.
  await world.read(sql`DELETE FROM sessions WHERE user_id = ${user.id}`)
  world.advance(1)
  await enter()
  expect(await mailsOf(world.ctx(), user.id)).toHaveLength(2)
})

test('a username that is taken gets a suffix', async () => {
  const name = `Ada ${crypto.randomUUID().slice(0, 8)}`
  const first = await openWorld(somebody({ name })).enter()
  const second = await openWorld(somebody({ name })).enter()
  expect(first.user.username).toMatch(/^ada_[0-9a-f]{8}$/)
  expect(second.user.username).toMatch(new RegExp(`^${first.user.username}_[a-z0-9]{6}$`))
})

test('connecting writes the subject, one notice and one mail, whatever the case of the address', async () => {
  const identity = somebody()
  const { world, enter } = openWorld({ ...identity, email: identity.email.toUpperCase() })
  const { userId } = await createAccount(world.ctx(), verified(world, identity))
  const [one, other] = await Promise.all([enter(), enter()])
  expect([one.user.id, other.user.id]).toEqual([userId, userId])
  const events = await eventKindsOf(world.ctx(), userId)
  expect(events.filter((kind) => kind === 'google_connected')).toHaveLength(1)
  const sent = await mailsOf(world.ctx(), userId)
  expect(sent.filter(({ kind }) => kind === 'google_connected')).toHaveLength(1)
})

async function storedAccount({ db }: Context, userId: string) {
  const { rows, open, sent, apps, codes } = await db.batch({
    apps: db.select().from(totps).where(eq(totps.userId, userId)),
    codes: db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    rows: db.select().from(users).where(eq(users.id, userId)),
    open: db
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt))),
    sent: db.select({ payload: mails.payload }).from(mails).where(eq(mails.userId, userId)),
  })
  return {
    hash: rows[0]?.passwordHash,
    open: open.map(({ id }) => id),
    mail: JSON.parse(sent[0]?.payload ?? 'null'),
    factors: apps.length + codes.length,
  }
}

test('connecting ends every way in that was made before the address was proven', async () => {
  const identity = somebody()
  const { world, passOf } = openWorld(identity)
  // A stranger registered the address, and its owner clicked on the verification mail.
  const { userId } = await createAccount(world.ctx(), {
    ...verified(world, identity),
    passwordHash: cheapHash(),
  })
  const pass = await passOf()
  expect(await storedAccount(world.ctx(), userId)).toEqual({
    hash: '',
    open: [],
    mail: expect.objectContaining({ isPasswordCleared: true }),
    factors: 0,
  })
  const { user } = await finishGoogleSignIn(world.ctx(), pass)
  expect(user.id).toBe(userId)
  const body = { email: identity.email, password: 'Quiet-Otter-42', rememberMe: false }
  await expect(login(world.ctx(), { ...NO_INPUT, body })).rejects.toMatchObject({
    code: 'INVALID_CREDENTIALS',
  })
})

test('connecting keeps a password that was set with a mailed link, and its sessions', async () => {
  const identity = somebody()
  const { world, comeBack, enter } = openWorld(identity)
  const passwordHash = cheapHash()
  const claims = await createAccount(world.ctx(), {
    ...verified(world, identity),
    passwordHash,
    isPasswordProven: true,
  })
  await comeBack()
  const { userId, sessionId } = claims
  expect(await storedAccount(world.ctx(), userId)).toEqual({
    hash: passwordHash,
    open: [sessionId],
    mail: expect.objectContaining({ isPasswordCleared: false }),
    factors: 0,
  })
  await setUpTotp(world.ctx(), claims)
  await expect(enter()).rejects.toMatchObject({ code: 'FACTOR_REQUIRED' })
  const passes = await rowsOf(world.ctx().db, signInPasses, eq(signInPasses.userId, userId))
  const tickets = passes.filter(({ purpose }) => purpose === 'second_step')
  expect(tickets).toMatchObject([{ isRemembered: false }])
})

test('an account that gets another address meanwhile is not connected', async () => {
  const identity = somebody()
  const { world, comeBack } = openWorld(identity)
  const { userId } = await createAccount(world.ctx(), verified(world, identity))
  const ctx = world.ctx()
  let batches = 0
  const correct = async () => {
    batches += 1
    const email = `corrected-${identity.email}`
    const corrected = ctx.db
      .update(users)
      .set({ email, emailKey: email })
      .where(eq(users.id, userId))
    if (batches === 2) await ctx.db.batch([corrected])
  }
  await comeBack({ ...ctx, db: withEachBatch(ctx.db, correct) })
  expect(await userOf(world.ctx(), userId)).toMatchObject({ googleSubject: null })
})

test.each([
  ['our address is unverified', { emailVerifiedAt: null }, {}, 'google_verify_first'],
  ['Google’s address is unverified', {}, { isEmailVerified: false }, 'google_unverified'],
  [
    'both addresses are unverified',
    { emailVerifiedAt: null },
    { isEmailVerified: false },
    'google_unverified',
  ],
  ['it is suspended', { suspendedAt: 1 }, {}, 'google_suspended'],
  ['it is suspended and connected', { suspendedAt: 1, googleSubject: '' }, {}, 'google_suspended'],
  ['it has another Google account', { googleSubject: 'other-' }, {}, 'google_other_account'],
])('an account is neither connected nor changed when %s', async (_, row, claims, problem) => {
  const identity = somebody(claims)
  const { world, comeBack } = openWorld(identity)
  const before = {
    ...verified(world, identity),
    ...row,
    ...('googleSubject' in row ? { googleSubject: `${row.googleSubject}${identity.subject}` } : {}),
  }
  const { userId } = await createAccount(world.ctx(), before)
  expect(await comeBack()).toEqual({ next: '/profile', pass: null, problem })
  expect(await userOf(world.ctx(), userId)).toMatchObject(before)
  expect(await eventKindsOf(world.ctx(), userId)).toEqual([])
})

test('a provider that is unavailable or refuses changes nothing, and each has its own problem', async () => {
  const down = openWorld(new IdentityUnavailable('no answer'))
  expect(await down.comeBack()).toMatchObject({ problem: 'google_unavailable' })
  expect(down.world.errors).toMatchObject([{ event: 'google not available' }])
  const no = openWorld(new IdentityRefused('invalid_grant'))
  expect(await no.comeBack()).toMatchObject({ problem: 'google_failed' })
})

test('an error from Google instead of a code becomes "cancelled" or "failed"', async () => {
  const { world, asked, start } = openWorld(somebody())
  for (const [error, problem] of [
    ['access_denied', 'google_cancelled'],
    ['server_error', 'google_failed'],
    [undefined, 'google_failed'],
  ]) {
    const { sealed, sent } = await start()
    const answer = { error, state: sent['state'], sealed }
    expect(await receiveGoogleAnswer(world.ctx(), answer)).toMatchObject({ pass: null, problem })
  }
  expect(asked).toEqual([])
})
