import { createClient } from '@libsql/client/http'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import type { DatabaseAddress } from './backup.ts'

/**
 * What must hold of money and tokens (docs/decisions/0004). Each query finds what breaks the rule; `id` names it. The
 * schema refuses all of this, so a finding means a damaged file, a bad restore, or somebody who wrote past the guards.
 */
const RULES: Record<string, string> = {
  'a balance is the sum of its ledger entries': `
    SELECT b.user_id || ' ' || b.payment_mode AS id
    FROM balances b
    LEFT JOIN ledger l ON l.user_id = b.user_id AND l.payment_mode = b.payment_mode
    GROUP BY b.user_id, b.payment_mode
    HAVING b.total <> coalesce(sum(CASE WHEN l.kind <> 'use' THEN l.tokens END), 0)
      OR b.used <> -coalesce(sum(CASE WHEN l.kind = 'use' THEN l.tokens END), 0)`,
  'an account with ledger entries has a balance': `
    SELECT DISTINCT l.user_id || ' ' || l.payment_mode AS id
    FROM ledger l
    LEFT JOIN balances b ON b.user_id = l.user_id AND b.payment_mode = l.payment_mode
    WHERE b.user_id IS NULL`,
  'no account has used more tokens than it has': `
    SELECT user_id || ' ' || payment_mode AS id FROM balances WHERE used < 0 OR used > total`,
  'the usage of a day is the sum of its ledger entries': `
    SELECT user_id || ' ' || payment_mode || ' ' || date(day / 1000, 'unixepoch') || ' ' || mode AS id
    FROM (
      SELECT user_id, payment_mode, day, mode, tokens FROM usage_days
      UNION ALL
      SELECT user_id, payment_mode, created_at - created_at % 86400000, coalesce(usage_mode, ''), tokens
      FROM ledger WHERE kind = 'use'
    )
    GROUP BY user_id, payment_mode, day, mode
    HAVING sum(tokens) <> 0`,
  'the usage totals are the sums of the ended usage sessions': `
    SELECT user_id AS id
    FROM (
      SELECT user_id, completed, rated, succeeded, seconds_saved FROM usage_totals
      UNION ALL
      SELECT user_id, -1, -(has_succeeded IS NOT NULL), -coalesce(has_succeeded, 0), -seconds_saved
      FROM usage_sessions
      WHERE ended_at IS NOT NULL
    )
    GROUP BY user_id
    HAVING sum(completed) <> 0 OR sum(rated) <> 0 OR sum(succeeded) <> 0 OR sum(seconds_saved) <> 0`,
  'a grant has captured money of its purchase behind it': `
    SELECT g.purchase_id AS id
    FROM grants g
    LEFT JOIN purchases p ON p.id = g.purchase_id
    LEFT JOIN payments m ON m.id = g.payment_id AND m.purchase_id = g.purchase_id AND m.rank = 3
    WHERE m.id IS NULL OR m.amount_minor <> p.amount_minor OR m.currency <> p.currency
      OR g.tokens <> p.tokens OR g.user_id <> p.user_id OR g.payment_mode <> p.payment_mode`,
  'a grant is entered in the ledger once': `
    SELECT g.purchase_id AS id
    FROM grants g
    LEFT JOIN ledger l ON l.ref = 'grant:' || g.purchase_id AND l.tokens = g.tokens AND l.user_id = g.user_id
    WHERE l.ref IS NULL`,
  'a ledger entry of a grant has its grant': `
    SELECT l.ref AS id
    FROM ledger l
    LEFT JOIN grants g ON g.purchase_id = l.purchase_id
    WHERE l.kind = 'grant' AND g.purchase_id IS NULL`,
  'tokens that were given or taken by hand have the act of an operator': `
    SELECT l.ref AS id
    FROM ledger l
    LEFT JOIN desk_acts a ON l.ref = 'adjustment:' || a.id AND a.user_id = l.user_id
    WHERE l.kind = 'adjustment' AND a.id IS NULL`,
  'no more is reversed than was granted': `
    SELECT g.purchase_id AS id
    FROM grants g
    JOIN ledger l ON l.purchase_id = g.purchase_id AND l.kind IN ('reversal', 'restoration')
    GROUP BY g.purchase_id
    HAVING sum(l.tokens) NOT BETWEEN -g.tokens AND 0`,
  'a refund that was asked for took its tokens': `
    SELECT o.payment_id AS id
    FROM owed_refunds o
    LEFT JOIN ledger l ON l.purchase_id = o.purchase_id AND l.kind IN ('reversal', 'restoration')
    WHERE o.reason = 'asked_for'
    GROUP BY o.payment_id
    HAVING coalesce(-sum(l.tokens), 0) < o.tokens`,
  'a paid purchase is granted': `
    SELECT p.id
    FROM purchases p
    LEFT JOIN grants g ON g.purchase_id = p.id
    WHERE p.status = 'paid' AND g.purchase_id IS NULL`,
  'captured money backs a grant or is owed back': `
    SELECT m.id
    FROM payments m
    LEFT JOIN grants g ON g.payment_id = m.id
    LEFT JOIN owed_refunds o ON o.payment_id = m.id AND o.number = 0
    WHERE m.rank = 3 AND m.amount_minor > 0 AND g.payment_id IS NULL AND o.payment_id IS NULL`,
  'a grant has a receipt': `
    SELECT g.purchase_id AS id
    FROM grants g
    LEFT JOIN receipts r ON r.purchase_id = g.purchase_id
    WHERE r.purchase_id IS NULL`,
  'receipts are numbered without gaps': `
    SELECT 'highest ' || max(number) || ', count ' || count(*) AS id
    FROM receipts GROUP BY series HAVING max(number) <> count(*)`,
  'credit notes are numbered without gaps': `
    SELECT 'highest ' || max(number) || ', count ' || count(*) AS id
    FROM credit_notes GROUP BY series HAVING max(number) <> count(*)`,
}

export const RULE_COUNT = Object.keys(RULES).length

/** Ids shown of each broken rule; there may be many more. */
const SHOWN = 5

/** One statement, so that all rules see the same instant. */
const ALL_RULES = Object.entries(RULES)
  .map(
    ([rule, query]) =>
      `SELECT * FROM (SELECT '${rule}' AS rule, id FROM (${query}) LIMIT ${SHOWN + 1})`,
  )
  .join(' UNION ALL ')

/** Reads every rule and writes nothing. Returns a line for each broken rule, none when all hold. */
export async function verifyLedger({ url, authToken }: DatabaseAddress): Promise<string[]> {
  const client = createClient({ url, ...(authToken ? { authToken } : {}) })
  try {
    return await brokenRules(async (query) => {
      const { rows } = await client.execute(query).catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error)
        throw new LaunchError(`The database at ${url} cannot be read: ${reason}`)
      })
      return rows
    })
  } finally {
    client.close()
  }
}

type Rows = readonly Readonly<Record<string, unknown>>[]

/** As `verifyLedger`, for a database that `read` asks. */
export async function brokenRules(
  read: (query: string) => Rows | Promise<Rows>,
): Promise<string[]> {
  const rows = await read(ALL_RULES)
  const found = Map.groupBy(rows, (row) => String(row['rule']))
  return [...found].map(([rule, broken]) => {
    const ids = broken.slice(0, SHOWN).map((row) => String(row['id']))
    const more = broken.length > SHOWN ? ' and more' : ''
    return `broken: ${rule}: ${ids.join(', ')}${more}`
  })
}
