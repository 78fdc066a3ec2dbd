import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  enter,
  give,
  openGuards,
  storeGrant,
  storePayment,
} from '../../../tests/harness/world/guards.ts'
import { createPurchase, paymentFor } from '../../../tests/harness/world/purchase.ts'
import { factsOf } from '../ports/payments.ts'
import { settle } from '../purchase/settle.ts'

const PROVEN = sql`UPDATE users SET email_verified_at = 1`

test('an entry of the ledger is backed by its grant, by a proven address or by the act of an operator', async () => {
  const { purchase, unpaid, stranger, tryAll } = await openGuards()
  const { id, userId: user, tokens } = purchase
  const grant = (changes: Partial<Parameters<typeof enter>[0]>) =>
    enter({ ref: `grant:${id}`, user, kind: 'grant', tokens, purchase: id, ...changes })
  const trial = (ref: string) =>
    enter({ ref, user: stranger.userId, kind: 'trial', tokens: 20_000 })
  const act = (kind: string) => sql`
    INSERT INTO desk_acts (id, operator_id, kind, user_id, reason, changes, created_at)
    VALUES ('act_1', 'usr_1', ${kind}, ${user}, 'a test', '{}', 1)`
  const adjust = (ref: string, who = user) =>
    enter({ ref, user: who, kind: 'adjustment', tokens: 5 })
  const needsGrant = 'a grant entry needs its grant'
  const needsAddress = 'a trial needs a proven address'
  const needsAct = 'an adjustment needs the act of an operator'
  await tryAll([
    ['of a grant under another name', [grant({ ref: 'grant:again' })], needsGrant],
    ['of a grant for another purchase', [grant({ purchase: unpaid.id })], needsGrant],
    ['of a grant to somebody else', [grant({ user: stranger.userId })], needsGrant],
    ['of a grant of other tokens', [grant({ tokens: tokens + 1 })], needsGrant],
    ['of a grant in another mode', [grant({ mode: 'live' })], needsGrant],
    ['of a trial', [PROVEN, trial(`trial:${stranger.userId}`)], null],
    ['of a trial under another name', [PROVEN, trial('trial:x')], needsAddress],
    ['of the trial of somebody else', [PROVEN, trial(`trial:${user}`)], needsAddress],
    ['of an act', [act('adjust_tokens'), adjust('adjustment:act_1')], null],
    ['of no act', [adjust('adjustment:act_1')], needsAct],
    ['of an act under another name', [act('adjust_tokens'), adjust('adjustment:x')], needsAct],
    [
      'of an act on tokens of nobody',
      [act('delete_account'), adjust('adjustment:act_1')],
      needsAct,
    ],
    [
      'of an act on somebody else',
      [act('adjust_tokens'), adjust('adjustment:act_1', stranger.userId)],
      needsAct,
    ],
    [
      'of no tokens',
      [enter({ ref: 'use:none', user: stranger.userId, kind: 'use', tokens: 0 })],
      'CHECK constraint failed: ledger_sign',
    ],
  ])
})

test('tokens are taken of the own balance in the own mode, and of what is left', async () => {
  const { purchase, stranger, tryAll } = await openGuards()
  const { userId: user } = purchase
  const use = (tokens: number, mode = 'emulator') =>
    enter({ ref: `use:${tokens}`, user, kind: 'use', tokens: -tokens, mode })
  const refusal = 'insufficient tokens'
  await tryAll([
    ['all that is left', [use(800_000)], null],
    ['one more after some', [use(100_000), use(700_001)], refusal],
    ['in another mode', [use(1, 'live')], refusal],
    [
      'of somebody who has none',
      [enter({ ref: 'use:1', user: stranger.userId, kind: 'use', tokens: -1 })],
      refusal,
    ],
    [
      'beside other balances',
      [
        ...give(user, 9, 'live'),
        PROVEN,
        enter({ ref: `trial:${stranger.userId}`, user: stranger.userId, kind: 'trial', tokens: 9 }),
        use(5),
        ...give(user, -5),
      ],
      null,
    ],
  ])
})

test('of each purchase, tokens are taken back and given back within what it granted', async () => {
  const { purchase, unpaid, stranger, tryAll } = await openGuards()
  const second = [
    storePayment(unpaid),
    storeGrant(unpaid),
    enter({
      ref: `grant:${unpaid.id}`,
      user: unpaid.userId,
      kind: 'grant',
      tokens: unpaid.tokens,
      purchase: unpaid.id,
    }),
  ]
  const move = (
    kind: string,
    tokens: number,
    given: { of?: string; user?: string; mode?: string } = {},
  ) => {
    const { of = purchase.id, user = purchase.userId, mode = 'emulator' } = given
    return enter({ ref: `${kind}:${tokens}`, user, kind, tokens, purchase: of, mode })
  }
  const [back, again] = ['reversal', 'restoration'] as const
  const refusal = 'more cannot be reversed than was granted'
  await tryAll([
    ['all that was taken comes back', [move(again, 200_000)], null],
    ['more than was taken comes back', [move(again, 200_001)], refusal],
    ['what came back comes back', [move(again, 200_000), move(again, 1)], refusal],
    ['it comes back to somebody else', [move(again, 1, { user: stranger.userId })], refusal],
    ['it comes back in another mode', [move(again, 1, { mode: 'live' })], refusal],
    [
      'what another purchase gave back comes back',
      [...second, move(again, 1, { of: unpaid.id })],
      refusal,
    ],
    ['a purchase without a grant gives back', [move(back, -1, { of: unpaid.id })], refusal],
    ['a purchase gives back all', [...second, move(back, -1_000_000, { of: unpaid.id })], null],
    ['a purchase gives back more', [...second, move(back, -1_000_001, { of: unpaid.id })], refusal],
    ['a purchase gives back the rest', [...second, move(back, -800_000)], null],
    ['a purchase gives back more than the rest', [...second, move(back, -800_001)], refusal],
  ])
})

test('a balance moves with the latest entry alone', async () => {
  const { world, purchase, stranger, attempt, tryAll } = await openGuards()
  const { userId: user } = purchase
  const others = [
    PROVEN,
    enter({ ref: `trial:${stranger.userId}`, user: stranger.userId, kind: 'trial', tokens: 100 }),
    ...give(user, 100, 'live'),
  ]
  const latest = enter({
    ref: 'restoration:1',
    user,
    kind: 'restoration',
    tokens: 100,
    purchase: purchase.id,
  })
  const begin = (who: string, mode: string) =>
    sql`INSERT INTO balances (user_id, payment_mode, total, used) VALUES (${who}, ${mode}, 100, 0)`
  const add = (who: string, mode: string, tokens: number) =>
    sql`UPDATE balances SET total = total + ${tokens} WHERE user_id = ${who} AND payment_mode = ${mode}`
  const refusal = 'the balance follows the ledger'
  await tryAll([
    [
      "another user's, with the latest entry",
      [latest, begin(stranger.userId, 'emulator')],
      refusal,
    ],
    ["another mode's, with the latest entry", [latest, begin(user, 'live')], refusal],
    [
      "another user's, by the latest entry",
      [...others, latest, add(stranger.userId, 'emulator', 100)],
      refusal,
    ],
    ["another mode's, by the latest entry", [...others, latest, add(user, 'live', 100)], refusal],
    ['by an earlier entry', [add(user, 'emulator', purchase.tokens)], refusal],
  ])
  const movedBy = () =>
    Object.fromEntries(
      world
        .read('SELECT user_id || payment_mode AS whose, total, last_ref FROM balances')
        .map(({ whose, total, last_ref }) => [whose, [total, last_ref]]),
    )
  const trial = [100, `trial:${stranger.userId}`]
  const given = [100, 'adjustment:act_live']
  await attempt(latest)
  // Entries that begin balances, and then one that moves one, leave the others with their own.
  await attempt(...others)
  expect(movedBy()).toEqual({
    [`${user}emulator`]: [800_100, 'restoration:1'],
    [`${stranger.userId}emulator`]: trial,
    [`${user}live`]: given,
  })
  await attempt(enter({ ref: 'use:1', user, kind: 'use', tokens: -5 }))
  expect(movedBy()).toEqual({
    [`${user}emulator`]: [800_100, 'use:1'],
    [`${stranger.userId}emulator`]: trial,
    [`${user}live`]: given,
  })
  await attempt(...give(user, -7))
  expect(movedBy()).toMatchObject({ [`${user}emulator`]: [800_093, 'adjustment:act_emulator'] })
})

test('tokens are missed only while their owner has none in that mode, and what is missed is whole', async () => {
  const { world, purchase, stranger, tryAll } = await openGuards()
  const { id, userId: user } = purchase
  // Others who have tokens left: another user with a purchase, and the same user in another mode.
  const others = await createPurchase(world.ctx(), stranger.userId)
  await settle(world.ctx(), others, factsOf({ payments: [paymentFor(others)] }))
  const spent = [
    ...give(user, 9, 'live'),
    enter({ ref: 'use:all', user, kind: 'use', tokens: -800_000 }),
  ]
  const miss = (tokens: number) => sql`INSERT INTO shortfalls VALUES (${id}, ${tokens}, 1)`
  const change = (tokens: number) =>
    sql`UPDATE shortfalls SET tokens = ${tokens} WHERE purchase_id = ${id}`
  const refusal = 'what is left is taken before it is missed'
  const broken = 'tokens are whole numbers'
  // Tokens come back to the owner while some are missed.
  const missedBefore = [
    ...spent,
    miss(5),
    enter({ ref: 'restoration:1', user, kind: 'restoration', tokens: 1, purchase: id }),
  ]
  await tryAll([
    ['none', [miss(0)], null],
    ['one while there are tokens', [miss(1)], refusal],
    ['some while there are none', [...spent, miss(5)], null],
    ['more while there are none', [...spent, miss(5), change(6)], null],
    ['more while there are tokens', [...missedBefore, change(6)], refusal],
    ['as many while there are tokens', [...missedBefore, change(5)], null],
    ['fewer while there are tokens', [...missedBefore, change(4)], null],
    ['a part of a token', [...spent, miss(0.5)], broken],
    ['a part of a token more', [...spent, miss(5), change(5.5)], broken],
  ])
})

const DAY = Date.UTC(2026, 10, 18)

test('a day counts the tokens used on it, and an account its sessions that ended', async () => {
  const { world, purchase, attempt } = await openGuards()
  const { userId: user } = purchase
  const use = (tokens: number, at: number) =>
    enter({ ref: `use:${at}`, user, kind: 'use', tokens: -tokens, at })
  await attempt(use(3, DAY), use(4, DAY + 86_399_999), use(5, DAY + 86_400_000))
  expect(world.read('SELECT day, tokens FROM usage_days ORDER BY day')).toEqual([
    { day: DAY, tokens: 7 },
    { day: DAY + 86_400_000, tokens: 5 },
  ])
  const session = (
    id: string,
    endedAt: number | null,
    hasSucceeded: number | null,
    seconds: number,
  ) => sql`
    INSERT INTO usage_sessions (user_id, session_id, mode, started_at, ended_at, has_succeeded, seconds_saved)
    VALUES (${user}, ${id}, 'x', 1, ${endedAt}, ${hasSucceeded}, ${seconds})`
  const end = (id: string, endedAt: number | null) =>
    sql`UPDATE usage_sessions SET ended_at = ${endedAt} WHERE session_id = ${id}`
  const totals = () =>
    world.read('SELECT completed, rated, succeeded, seconds_saved AS saved FROM usage_totals')
  await attempt(session('open', null, 1, 1), end('open', null))
  expect(totals()).toEqual([])
  for (const { begin, expected } of [
    { begin: session('1', 9, null, 10), expected: [1, 0, 0, 10] },
    { begin: session('2', 9, 1, 20), expected: [2, 1, 1, 30] },
    { begin: session('3', 9, 0, 40), expected: [3, 2, 1, 70] },
    { begin: end('open', 9), expected: [4, 3, 2, 71] },
    { begin: end('open', 10), expected: [4, 3, 2, 71] },
  ]) {
    await attempt(begin)
    const [completed, rated, succeeded, saved] = expected
    expect(totals()).toEqual([{ completed, rated, succeeded, saved }])
  }
})

test('the first session of an account that is ended later counts once, rated or not', async () => {
  const { world, purchase, stranger, attempt } = await openGuards()
  const users = [purchase.userId, stranger.userId]
  for (const [index, user] of users.entries()) {
    await attempt(
      sql`
        INSERT INTO usage_sessions (user_id, session_id, mode, started_at, has_succeeded, seconds_saved)
        VALUES (${user}, 'first', 'x', 1, ${index === 0 ? null : 1}, 7)`,
      sql`UPDATE usage_sessions SET ended_at = 9 WHERE user_id = ${user}`,
    )
  }
  const rows = world.read(
    'SELECT user_id, completed, rated, succeeded, seconds_saved AS saved FROM usage_totals ORDER BY rowid',
  )
  expect(rows).toEqual([
    { user_id: users[0], completed: 1, rated: 0, succeeded: 0, saved: 7 },
    { user_id: users[1], completed: 1, rated: 1, succeeded: 1, saved: 7 },
  ])
})
