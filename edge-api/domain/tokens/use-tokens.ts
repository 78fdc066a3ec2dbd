import { sql } from 'drizzle-orm'
import { SERVER } from '../../../src/contract/messages.ts'
import type {
  TokenUseResult,
  useTokensBatchEndpoint,
  useTokensEndpoint,
} from '../../../src/contract/report-usage.ts'
import { buildOnce } from '../../db/build-once.ts'
import type { Database } from '../../db/database.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { balances, ledger } from '../../db/schema/tokens.ts'
import { requireAccount, sessionQuery } from '../session/account-query.ts'
import { isOpenSession, touchSession } from '../session/session.ts'
import type { Context, Claims } from '../context.ts'
import type { SessionHandler } from '../handler.ts'
import { ApiError } from '../api-error.ts'
import { hasFallenLow, notifyLowTokens, resetLowTokens } from './notify-low-tokens.ts'

/**
 * Uses tokens in one batch, in which one conditional statement takes them or does not. INSUFFICIENT_TOKENS when fewer
 * are left; then nothing is used. With an idempotency key a repetition uses them once; the same key with another amount
 * is IDEMPOTENCY_KEY_REUSED. After the answer, a user with few tokens left is notified once.
 */
export const useTokens: SessionHandler<typeof useTokensEndpoint> = async (ctx, call) => {
  const idempotencyKey = call.idempotencyKey ?? ctx.newId('use')
  const uses = [{ idempotencyKey, ...call.body }]
  const { results, tokens } = await takeTokens(ctx, call.claims, uses)
  const outcome = results[0]?.outcome
  if (outcome === 'key_reused') throw new ApiError('IDEMPOTENCY_KEY_REUSED', SERVER.keyReused)
  if (outcome !== 'used') throw new ApiError('INSUFFICIENT_TOKENS', SERVER.insufficientTokens)
  return { success: true, used: call.body.amount, tokens }
}

/**
 * Uses tokens for a queue of reports, as `useTokens` does for one. Each key counts once, even if it is repeated in this
 * call or another. A use that finds too few tokens at its turn takes none; a smaller one after it may fit. If the call
 * fails, nothing has happened.
 */
export const useTokensBatch: SessionHandler<typeof useTokensBatchEndpoint> = async (ctx, call) => ({
  success: true,
  ...(await takeTokens(ctx, call.claims, call.body.uses)),
})

interface Use {
  idempotencyKey: string
  amount: number
  sessionId?: string | undefined
  mode?: string | undefined
}

/** The result of each use, in the order given, and the balance after them. UNAUTHENTICATED without a session. */
async function takeTokens(ctx: Context, claims: Claims, uses: readonly Use[]) {
  const { userId, forApps = false } = claims
  const own = { userId, paymentMode: ctx.paymentMode }
  const named = uses.map((use) => ({ ...use, ref: `use:${userId}:${use.idempotencyKey}` }))
  const firsts = [...Map.groupBy(named, ({ ref }) => ref).values()].flatMap(([use]) => use ?? [])
  const refs = JSON.stringify(firsts.map(({ ref }) => ref))
  const { opened, entries, after } = await ctx.db.batch({
    opened: sessionQuery(ctx, claims),
    reset: resetLowTokens(ctx, own),
    entered: enterUses(ctx, {
      ...claims,
      forApps,
      paymentMode: ctx.paymentMode,
      now: ctx.now,
      uses: JSON.stringify(firsts),
      count: firsts.length,
    }),
    entries: entriesOf(ctx, { refs }),
    after: balanceOf(ctx, own),
  })
  touchSession(ctx, requireAccount(opened).session)
  const [balance] = after
  if (balance?.hasFallenLow === 1) ctx.waitUntil(() => notifyLowTokens(ctx, userId))
  const counted = new Map(entries.map(({ ref, tokens }) => [ref, -tokens]))
  const results = named.map(({ idempotencyKey, ref, amount }) => ({
    idempotencyKey,
    outcome: outcomeOf(amount, counted.get(ref)),
  }))
  return { results, tokens: { used: balance?.used ?? 0, total: balance?.total ?? 0 } }
}

function outcomeOf(amount: number, counted: number | undefined): TokenUseResult['outcome'] {
  if (counted === undefined) return 'insufficient_tokens'
  return counted === amount ? 'used' : 'key_reused'
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
  forApps: value('forApps'),
})

/**
 * Enters the uses (JSON, with their `ref`s) that are new and for which enough tokens are left, if the session is valid.
 * `run` goes through the list: `remaining` is the balance at a use's turn, and `cost` its tokens, 0 for a use that was
 * entered before. Triggers of `ledger` (edge-api/db/guards.test.ts lists them) take each entry from the balance and the oldest
 * lot, and add it to its day.
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
