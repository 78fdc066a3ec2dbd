import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import { Connections } from '../../edge-api/db/connections.ts'
import { type Database, openDatabase } from '../../edge-api/db/database.ts'
import { hours } from '../../edge-api/domain/time.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { root } from '../launcher/settings.ts'
import type { DatabaseAddress } from '../services/migrate.ts'
import { settleAgain } from './settle-again.ts'

interface Check {
  /** What an owner does about a finding. */
  remedy: string
  /** Finds the rows for which the check fails; `what` names each. */
  query: SQL
}

/** In SQL, "1,000,000". */
const count = (number: string) => sql.raw(`printf('%,d', ${number})`)

/** In SQL, "$35.00" for an amount in minor units; NULL for NULL. */
const money = (amount: string, currency: string) =>
  sql.raw(
    `iif((${amount}) IS NULL, NULL, iif(${currency} = 'INR', '₹', '$') || printf('%,d.%02d', (${amount}) / 100, (${amount}) % 100))`,
  )

/** In SQL, a part of the date when the plan of purchase `p` ends. */
const planEnd = (part: string) =>
  sql.raw(
    `strftime('${part}', p.paid_at / 1000 + (p.access_days + p.extra_days) * 86400, 'unixepoch')`,
  )

/** Rows written in one batch may have the times of requests that began this far apart. */
const LAG_MS = hours(1)

/** The triggers of the schema, by name. */
const TRIGGERS = Object.fromEntries(
  [
    ...readFileSync(join(root, 'edge-api/db/schema/triggers.sql'), 'utf8').matchAll(
      /^(CREATE TRIGGER `(\w+)`.+?^END);$/gms,
    ),
  ].map(([, text, name]) => [name, text]),
)

/** The first two checks decide in TypeScript, as `settle` does. */
const DECIDED = {
  changes: {
    check: 'settling a purchase again changes nothing',
    remedy:
      'Ask Razorpay about the purchase at /admin: that settles it again. If it stays, the file is damaged or the code is wrong',
  },
  wrongTax: {
    check: 'the tax of receipts and credit notes is the tax of their money',
    remedy: 'What was sent cannot be changed: ask the accountant for a correcting entry',
  },
} as const

/**
 * What must hold for money and tokens, by what is stored. What Razorpay knows is compared by the audit
 * (edge-api/domain/purchase/audit-payments.ts).
 */
const CHECKS: Record<string, Check> = {
  'a grant is of what was sold, and is in the ledger once': {
    remedy:
      'Compare the purchase with its order at Razorpay, then give or take the difference in tokens at /admin',
    query: sql`
      SELECT 'purchase ' || g.purchase_id || ' sold ' || ${count('p.tokens')} || ' tokens to ' || p.user_id || ', granted '
        || ${count('g.tokens')} || ' to ' || g.user_id || ', and the ledger has ' || coalesce(${count('l.tokens')}, 'none') AS what
      FROM grants g
      JOIN purchases p ON p.id = g.purchase_id
      LEFT JOIN ledger l ON l.ref = 'grant:' || g.purchase_id AND l.purchase_id = g.purchase_id
        AND l.user_id = g.user_id AND l.payment_mode = g.payment_mode
      WHERE (g.tokens, g.user_id, g.payment_mode) <> (p.tokens, p.user_id, p.payment_mode) OR l.tokens IS NOT g.tokens
      UNION ALL
      SELECT 'purchase ' || l.purchase_id || ' granted nothing, and the ledger has ' || ${count('l.tokens')} || ' tokens as ' || l.ref
      FROM ledger l
      LEFT JOIN grants g ON g.purchase_id = l.purchase_id
      WHERE l.purchase_id IS NOT NULL AND (g.purchase_id IS NULL
        OR (l.kind = 'grant' AND l.ref <> 'grant:' || l.purchase_id))`,
  },
  'a balance is the sum of its ledger entries, and of what is left of its lots': {
    remedy: 'The entries are what happened. Write their sum into the balance, as the runbook says',
    query: sql`
      SELECT 'account ' || user_id || ' (' || payment_mode || ') has ' || ${count('sum(balance)')} || ' tokens left; its entries say '
        || ${count('sum(entries)')} || ', its lots ' || ${count('sum(lots)')} AS what
      FROM (
        SELECT user_id, payment_mode, total - used AS balance, 0 AS entries, 0 AS lots, used AS uses FROM balances
        UNION ALL
        SELECT user_id, payment_mode, 0, sum(tokens), 0, coalesce(sum(tokens) FILTER (WHERE kind = 'use'), 0) FROM ledger
        GROUP BY user_id, payment_mode
        UNION ALL
        SELECT user_id, payment_mode, 0, 0, sum("left"), 0 FROM lots GROUP BY user_id, payment_mode
      )
      GROUP BY user_id, payment_mode
      HAVING sum(balance) <> sum(entries) OR sum(entries) <> sum(lots) OR sum(uses) <> 0`,
  },
  'bought tokens have captured money of the same sale behind them': {
    remedy:
      'Look the payment up at Razorpay. If the money is there, ask Razorpay at /admin; if not, take the tokens there, and find out who wrote the row',
    query: sql`
      SELECT 'purchase ' || g.purchase_id || ' of ' || ${money('p.amount_minor', 'p.currency')} || ' gave '
        || ${count('g.tokens')} || ' tokens; its payment ' || g.payment_id
        || coalesce(' is of ' || ${money('m.amount_minor', 'm.currency')} || iif(o.payment_id IS NULL, '', ' and owed back'), ' is not captured') AS what
      FROM grants g
      JOIN purchases p ON p.id = g.purchase_id
      LEFT JOIN payments m ON m.id = g.payment_id AND m.purchase_id = g.purchase_id AND m.rank = 3
      LEFT JOIN owed_refunds o ON o.payment_id = m.id AND o.reason <> 'asked_for'
      WHERE m.id IS NULL OR (m.amount_minor, m.currency) <> (p.amount_minor, p.currency) OR o.payment_id IS NOT NULL
        OR m.razorpay_order_id NOT IN (coalesce(p.razorpay_order_id, ''), coalesce(p.razorpay_link_order_id, ''))`,
  },
  'receipts and credit notes are numbered 1, 2, 3 … in the order of their time': {
    remedy:
      'Documents that are missing were mailed: find them in the mailbox, and tell the accountant. If a restore lost them, the numbers go on after the last one mailed',
    query: sql`
      SELECT document || ' ' || coalesce(nullif(series, '') || ': ', '') || number || ' of ' || date(at / 1000, 'unixepoch') || ' follows '
        || coalesce('number ' || before || ' of ' || date(at_before / 1000, 'unixepoch'), 'nothing') AS what
      FROM (
        SELECT *, lag(number) OVER counted AS before, lag(at) OVER counted AS at_before
        FROM (
          SELECT 'receipt' AS document, series, number, issued_at AS at FROM receipts
          UNION ALL
          SELECT 'credit note', series, number, issued_at FROM credit_notes
        )
        WINDOW counted AS (PARTITION BY document, series ORDER BY number)
      )
      WHERE number <> coalesce(before, 0) + 1 OR at < at_before - ${LAG_MS}
        OR substr(nullif(series, ''), 1, 2) <> substr(strftime('%Y', at / 1000, 'unixepoch', '+330 minutes', '-3 months'), 3)`,
  },
  'each credit note is of a refund of its purchase': {
    remedy: 'Ask the accountant',
    query: sql`
      SELECT 'purchase ' || c.purchase_id || ': credit note ' || c.number || ' of ' || ${money('c.amount_minor', 'p.currency')}
        || ' is for refund ' || c.refund_id || coalesce(' of ' || ${money('t.amount_minor', 't.currency')} || ', ' || t.state, ', which is not one of it') AS what
      FROM credit_notes c
      JOIN purchases p ON p.id = c.purchase_id
      JOIN grants g ON g.purchase_id = c.purchase_id
      LEFT JOIN refunds_and_disputes t ON t.id = c.refund_id AND t.payment_id = g.payment_id AND t.kind = 'refund'
      WHERE NOT c.is_cancellation AND (t.id IS NULL OR t.state = 'open' OR c.amount_minor > t.amount_minor)`,
  },
  'what admins gave is in their log': {
    remedy:
      'Somebody wrote past the admin pages: ask who holds the database token, and undo it at /admin',
    query: sql`
      SELECT 'account ' || l.user_id || ' has ' || ${count('l.tokens')} || ' tokens by hand (' || l.ref || ')' AS what
      FROM ledger l
      LEFT JOIN desk_acts a ON l.ref = 'adjustment:' || a.id AND a.user_id = l.user_id AND a.kind = 'adjust_tokens'
        AND a.changes ->> '$[0]' LIKE ${count('abs(l.tokens)')} || ' tokens are ' || iif(l.tokens > 0, 'given', 'taken') || ':%'
      WHERE l.kind = 'adjustment' AND a.id IS NULL
      UNION ALL
      SELECT 'purchase ' || p.id || ' has ' || p.extra_days || ' extra days'
      FROM purchases p
      LEFT JOIN desk_acts a ON a.subject = p.id AND a.kind = 'extend_plan' AND a.changes ->> '$[0]'
        LIKE 'The plan ends on ' || ltrim(${planEnd('%d')}, '0') || ' % ' || ${planEnd('%Y')} || ' instead of %'
      WHERE p.extra_days <> 0 AND a.id IS NULL`,
  },
  'the sums of usage are those of the entries and sessions': {
    remedy: 'Only charts show it. Make the sums again, as the runbook says',
    query: sql`
      SELECT 'account ' || user_id || ' (' || payment_mode || ') on ' || date(day / 1000, 'unixepoch') || ' (' || mode || ') differs by '
        || ${count('sum(tokens)')} || ' tokens' AS what
      FROM (
        SELECT user_id, payment_mode, day, mode, tokens FROM usage_days
        UNION ALL
        SELECT user_id, payment_mode, created_at - created_at % 86400000, coalesce(usage_mode, ''), tokens
        FROM ledger WHERE kind = 'use'
      )
      GROUP BY user_id, payment_mode, day, mode
      HAVING sum(tokens) <> 0
      UNION ALL
      SELECT 'account ' || user_id || ' differs in its ended sessions'
      FROM (
        SELECT user_id, completed, rated, succeeded, seconds_saved FROM usage_totals
        UNION ALL
        SELECT user_id, -1, -(has_succeeded IS NOT NULL), -coalesce(has_succeeded, 0), -seconds_saved
        FROM usage_sessions
        WHERE ended_at IS NOT NULL
      )
      GROUP BY user_id
      HAVING sum(completed) <> 0 OR sum(rated) <> 0 OR sum(succeeded) <> 0 OR sum(seconds_saved) <> 0`,
  },
  'the file is whole, and no row names one that is missing': {
    remedy: 'Restore the last backup, then reconcile since its day',
    query: sql`
      SELECT integrity_check AS what FROM pragma_integrity_check WHERE integrity_check <> 'ok'
      UNION ALL
      SELECT 'row ' || rowid || ' of ' || "table" || ' names a row of ' || parent || ' that is missing' FROM pragma_foreign_key_check`,
  },
  'the triggers are those of the schema': {
    remedy:
      'Run migrate. If that leaves it so, restore the last backup into a new database: without a trigger anything can be written',
    query: sql`
      SELECT 'the trigger ' || w.key || iif(t.sql IS NULL, ' is missing', ' is another') AS what
      FROM json_each(${JSON.stringify(TRIGGERS)}) w LEFT JOIN sqlite_master t ON t.type = 'trigger' AND t.name = w.key
      WHERE trim(t.sql, char(10, 13, 32)) IS NOT w.value
      UNION ALL
      SELECT 'the trigger ' || name || ' is of no migration' FROM sqlite_master
      WHERE type = 'trigger' AND name NOT IN (SELECT key FROM json_each(${JSON.stringify(TRIGGERS)}))`,
  },
  'what is owed back is no more than was paid, and a request no more than the price of its tokens':
    {
      remedy:
        "Look at the payment's refunds at Razorpay, and refund by hand only what is really missing",
      query: sql`
      SELECT 'purchase ' || m.purchase_id || ': ' || ${money('o.amount_minor', 'm.currency')} || ' is owed back of '
        || ${money('m.amount_minor', 'm.currency')} AS what
      FROM payments m JOIN owed_refunds o ON o.payment_id = m.id
      WHERE o.amount_minor NOT BETWEEN 0 AND m.amount_minor
      UNION ALL
      SELECT 'purchase ' || o.purchase_id || ': ' || ${money('o.amount_minor', 'p.currency')} || ' was asked back for '
        || ${count('o.tokens')} || ' tokens of ' || ${count('p.tokens')}
      FROM owed_refunds o JOIN purchases p ON p.id = o.purchase_id
      WHERE o.reason = 'asked_for'
        AND (o.tokens > p.tokens OR o.amount_minor > (2 * p.amount_minor * o.tokens + p.tokens) / (2 * p.tokens))`,
    },
}

export const CHECK_COUNT = Object.keys(DECIDED).length + Object.keys(CHECKS).length

/** Findings shown of each failed check; there may be many more. */
const SHOWN = 5

/** How long a batch may take: a check reads whole tables. */
const TIMEOUT_MS = 120_000

/** Reads all that the checks ask about and writes nothing. Returns lines for each that fails, none when all hold. */
export async function verifyLedger({ url, authToken }: DatabaseAddress): Promise<string[]> {
  const connections = new Connections({ url, authToken: authToken ?? '', clock: Date.now })
  try {
    return await failedChecks({ db: openDatabase({ connections, timeoutMs: TIMEOUT_MS }) })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new LaunchError(`The database at ${url} cannot be read: ${reason}`)
  }
}

/** As `verifyLedger`, for an open database. */
export async function failedChecks({ db }: { db: Database }): Promise<string[]> {
  const decided = await settleAgain({ db }, SHOWN + 1)
  const { found } = await db.batch({
    found: Object.values(CHECKS).map(({ query }) =>
      db.all<{ what: string }>(sql`SELECT what FROM (${query}) LIMIT ${SHOWN + 1}`),
    ),
  })
  const results = [
    { ...DECIDED.changes, lines: decided.changes },
    { ...DECIDED.wrongTax, lines: decided.wrongTax },
    ...Object.entries(CHECKS).map(([check, { remedy }], place) => {
      const lines = (found[place] ?? []).map(({ what }) => what)
      return { check, remedy, lines }
    }),
  ]
  return results.flatMap(({ check, remedy, lines }) => {
    if (lines.length === 0) return []
    return [
      `Broken: ${check}.`,
      ...lines.slice(0, SHOWN).map((line) => `  ${line}`),
      ...(lines.length > SHOWN ? ['  … and more'] : []),
      `  What to do: ${remedy}.`,
    ]
  })
}
