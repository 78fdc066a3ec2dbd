import { sql } from 'drizzle-orm'
import type { TokenUseResult } from '../../../src/contract/report-usage.ts'
import { buildOnce } from '../../db/build-once.ts'
import type { Database } from '../../db/database.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { balances, ledger } from '../../db/schema/tokens.ts'
import { requireAccount, sessionQuery } from '../account/account-query.ts'
import type { Claims } from '../account/signed.ts'
import { isOpenSession, touchSession } from '../account/session.ts'
import type { Context } from '../context.ts'
import { hasFallenLow, notifyLowTokens, resetLowTokens } from './notify-low-tokens.ts'

interface Use {
  idempotencyKey: string
  amount: number
  sessionId?: string | undefined
  mode?: string | undefined
}

interface Taken {
  /** The result of each use, in the order given. */
  outcomes: TokenUseResult['outcome'][]
  /** The balance after it. */
  tokens: { used: number; total: number }
}

/**
 * Takes tokens for each use in one batch, one after another. A use whose key was counted before takes nothing again.
 * UNAUTHENTICATED without a session; then nothing is taken.
 */
export async function takeTokens(
  ctx: Context,
  claims: Claims,
  uses: readonly Use[],
): Promise<Taken> {
  const { userId } = claims
  const named = uses.map((use) => ({ ...use, ref: `use:${userId}:${use.idempotencyKey}` }))
  const firsts = firstOfEach(named)
  const refs = JSON.stringify(firsts.map(({ ref }) => ref))
  const { opened, entries, after } = await ctx.db.batch({
    opened: sessionQuery(ctx, claims),
    reset: resetLowTokens(ctx, userId),
    entered: enterUses(ctx, {
      ...claims,
      paymentMode: ctx.paymentMode,
      now: ctx.now,
      uses: JSON.stringify(firsts),
      count: firsts.length,
    }),
    entries: entriesOf(ctx, { refs }),
    after: balanceOf(ctx, { userId, paymentMode: ctx.paymentMode }),
  })
  touchSession(ctx, requireAccount(opened).session)
  const [balance] = after
  if (balance?.hasFallenLow === 1) ctx.waitUntil(() => notifyLowTokens(ctx, userId))
  const counted = new Map(entries.map(({ ref, tokens }) => [ref, -tokens]))
  const outcomes = named.map(({ ref, amount }) => outcomeOf(amount, counted.get(ref)))
  return { outcomes, tokens: { used: balance?.used ?? 0, total: balance?.total ?? 0 } }
}

function outcomeOf(amount: number, counted: number | undefined) {
  if (counted === undefined) return 'insufficient_tokens'
  return counted === amount ? 'used' : 'key_reused'
}

/** The uses without those that repeat an earlier ref. */
function firstOfEach<Named extends { ref: string }>(uses: readonly Named[]): Named[] {
  const first = new Map<string, Named>()
  for (const use of uses) if (!first.has(use.ref)) first.set(use.ref, use)
  return [...first.values()]
}

const value = (name: string) => sql`${sql.placeholder(name)}`

/** The entries of a list of refs (JSON). */
const entriesOf = buildOnce((db: Database) =>
  db
    .select({ ref: ledger.ref, tokens: ledger.tokens })
    .from(ledger)
    .where(sql`${ledger.ref} IN (SELECT value FROM json_each(${value('refs')}))`),
)

const balanceOf = buildOnce((db: Database) =>
  db.all<{ used: number; total: number; hasFallenLow: number }>(sql`
    SELECT b.used, b.total, ${hasFallenLow} AS hasFallenLow FROM ${balances} b
    WHERE b.user_id = ${value('userId')} AND b.payment_mode = ${value('paymentMode')}`),
)

const isCallersSession = isOpenSession({
  userId: value('userId'),
  sessionId: value('sessionId'),
  now: value('now'),
})

/**
 * Enters the uses (JSON, with their `ref`s) that are new and for which enough tokens are left, if the session is valid.
 * `run` goes through the list: `remaining` is the balance at a use's turn, and `cost` its tokens, 0 for a use that was
 * entered before.
 */
const enterUses = buildOnce((db: Database) => {
  const field = (place: string, name: keyof Use | 'ref') =>
    sql`(list ->> ('$[' || ${sql.raw(place)} || ${sql.raw(`'].${name}'`)}))`
  const costAt = (place: string) => sql`iif(
    EXISTS (SELECT 1 FROM ledger l WHERE l.ref = ${field(place, 'ref')}), 0, ${field(place, 'amount')})`
  const entry = {
    ref: field('place', 'ref'),
    userId: value('userId'),
    kind: 'use',
    tokens: sql`-cost`,
    usageSessionId: field('place', 'sessionId'),
    usageMode: field('place', 'mode'),
    paymentMode: value('paymentMode'),
    createdAt: value('now'),
  } as const
  const source = sql`
    FROM (
      WITH RECURSIVE
        given (list) AS (SELECT ${value('uses')}),
        run (place, remaining, cost) AS (
          SELECT 0, b.total - b.used, ${costAt('0')}
          FROM given
          JOIN balances b
          WHERE b.user_id = ${value('userId')} AND b.payment_mode = ${value('paymentMode')}
            AND ${isCallersSession}
          UNION ALL
          SELECT place + 1, remaining - iif(cost <= remaining, cost, 0), ${costAt('(place + 1)')}
          FROM run, given
          LIMIT ${value('count')}
        )
      SELECT place, remaining, cost, list FROM run, given
    )
    WHERE cost > 0 AND cost <= remaining
    ORDER BY place`
  return db.run(insertFrom(ledger, entry, source))
})
