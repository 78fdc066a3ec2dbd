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
import { requireSignedIn, sessionQuery } from '../session/account-query.ts'
import { isOpenSession, recordLastUsed } from '../session/session.ts'
import type { Context, Claims } from '../context.ts'
import type { Call, SessionHandler } from '../handler.ts'
import { ApiError } from '../api-error.ts'
import { hasFallenLow, notifyLowTokens, resetLowTokensNotice } from './notify-low-tokens.ts'

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
 * call or another. A use that finds too few tokens at its turn takes none; a smaller one after it may fit. If the database
 * does not answer, either all of it has happened or nothing: the same call again is safe.
 */
export const useTokensBatch: SessionHandler<typeof useTokensBatchEndpoint> = async (ctx, call) => ({
  success: true,
  ...(await takeTokens(ctx, call.claims, call.body.uses)),
})

type Use = Call<typeof useTokensBatchEndpoint>['body']['uses'][number]

/** The result of each use, in the order given, and the balance after them. UNAUTHENTICATED without a session. */
async function takeTokens(ctx: Context, claims: Claims, uses: readonly Use[]) {
  const { userId } = claims
  const balanceKey = { userId, paymentMode: ctx.paymentMode }
  const withRef = uses.map(({ sessionId, ...use }) => ({
    ...use,
    ref: `use:${userId}:${use.idempotencyKey}`,
    usageSessionId: sessionId,
  }))
  const distinct = withRef.filter(
    ({ ref }, position) => withRef.findIndex((use) => use.ref === ref) === position,
  )
  const { sessions, entries, balance } = await ctx.db.batch({
    sessions: sessionQuery(ctx, claims),
    reset: resetLowTokensNotice(ctx, balanceKey),
    inserted: insertUses(ctx, {
      ...balanceKey,
      sessionId: claims.sessionId,
      approvedBy: claims.approvedBy ?? null,
      now: ctx.now,
      uses: JSON.stringify(distinct),
    }),
    entries: entriesOf(ctx, { refs: JSON.stringify(distinct.map(({ ref }) => ref)) }),
    balance: balanceOf(ctx, balanceKey),
  })
  recordLastUsed(ctx, requireSignedIn(sessions).session)
  const [after] = balance
  if (after?.hasFallenLow === 1) ctx.waitUntil(() => notifyLowTokens(ctx, userId))
  const usedByRef = new Map(entries.map(({ ref, tokens }) => [ref, -tokens]))
  const results = withRef.map(({ idempotencyKey, ref, amount }) => ({
    idempotencyKey,
    outcome: outcomeOf(amount, usedByRef.get(ref)),
  }))
  return { results, tokens: { used: after?.used ?? 0, total: after?.total ?? 0 } }
}

function outcomeOf(amount: number, used: number | undefined): TokenUseResult['outcome'] {
  if (used === undefined) return 'insufficient_tokens'
  return used === amount ? 'used' : 'key_reused'
}

const placeholder = (name: string) => sql`${sql.placeholder(name)}`

/** The entries of a list of refs (JSON). */
const entriesOf = buildOnce((db: Database) =>
  db
    .select({ ref: ledger.ref, tokens: ledger.tokens })
    .from(ledger)
    .where(sql`${ledger.ref} IN (SELECT value FROM json_each(${placeholder('refs')}))`),
)

const balanceOf = buildOnce((db: Database) =>
  db.all<{ used: number; total: number; hasFallenLow: number }>(sql`
    SELECT b.used, b.total, ${hasFallenLow} AS hasFallenLow FROM ${balances} b
    WHERE b.user_id = ${placeholder('userId')} AND b.payment_mode = ${placeholder('paymentMode')}`),
)

const isSessionOpen = isOpenSession({
  userId: placeholder('userId'),
  sessionId: placeholder('sessionId'),
  approvedBy: placeholder('approvedBy'),
  now: placeholder('now'),
})

/**
 * The statement that inserts an entry for each use that is new and for which enough tokens are left, if the session is open.
 * `given` holds the list of uses as JSON, each with its own `ref`, and `turns` has a row for each: what is left at its turn. With
 * 100 tokens left and uses of 80, 30, 40 and 20 tokens, of which the third was counted before:
 *
 *     position  remaining  taken
 *            0        100     80
 *            1         20      0   too few are left
 *            2         20      0   it has an entry
 *            3         20     20
 *
 * Then the triggers `ledger_used`, `ledger_took` and `ledger_used_on_day` (edge-api/db/schema/triggers.sql) take each entry
 * from the balance and the oldest lots, and add it to its day.
 */
const insertUses = buildOnce((db: Database) => {
  const entry = {
    ref: sql`use ->> 'ref'`,
    userId: placeholder('userId'),
    kind: 'use',
    tokens: sql`-taken`,
    usageSessionId: sql`use ->> 'usageSessionId'`,
    usageMode: sql`use ->> 'mode'`,
    paymentMode: placeholder('paymentMode'),
    createdAt: placeholder('now'),
  } as const
  const isCounted = sql`EXISTS (SELECT 1 FROM ledger l WHERE l.ref = use ->> 'ref')`
  const taken = sql`iif(${isCounted} OR use ->> 'amount' > remaining, 0, use ->> 'amount')`
  const source = sql`
    FROM (
      WITH RECURSIVE
        given (list) AS (SELECT ${placeholder('uses')}),
        turns (position, use, remaining) AS (
          SELECT 0, list -> 0, b.total - b.used
          FROM given
          JOIN balances b
          WHERE b.user_id = ${placeholder('userId')} AND b.payment_mode = ${placeholder('paymentMode')}
            AND ${isSessionOpen}
          UNION ALL
          SELECT position + 1, list -> (position + 1), remaining - ${taken}
          FROM turns, given
          WHERE list -> (position + 1) IS NOT NULL
        )
      SELECT position, use, ${taken} AS taken FROM turns
    )
    WHERE taken > 0
    ORDER BY position`
  return db.run(insertFrom(ledger, entry, source))
})
