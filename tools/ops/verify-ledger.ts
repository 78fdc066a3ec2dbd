import { createClient } from '@libsql/client/http'
import { type SQL, sql } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { wentBack } from '../../edge-api/domain/purchase/settling/expressions.ts'
import { statusOf } from '../../edge-api/domain/purchase/settling/follow-money.ts'
import { reversalAccount } from '../../edge-api/domain/purchase/settling/move-tokens.ts'
import { DIGITS } from '../../edge-api/domain/new-id.ts'
import { days, hours } from '../../edge-api/domain/time.ts'
import { TRIAL_TOKENS } from '../../src/contract/answers.ts'
import { OUTSIDE_INDIA } from '../../src/contract/billing.ts'
import { PLANS, TOKEN_PACK } from '../../src/contract/catalogue.ts'
import { ORDER_DAYS } from '../../src/contract/limits.ts'
import { taxParts } from '../../edge-api/domain/purchase/tax.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import type { DatabaseAddress } from '../services/migrate.ts'

/** In SQL, "1,000,000". */
const count = (number: string) => sql.raw(`printf('%,d', ${number})`)

/** In SQL, "$35.00" for an amount in minor units; NULL for NULL. */
const money = (amount: string, currency: string) =>
  sql.raw(
    `iif(${amount} IS NULL, NULL, iif(${currency} = 'INR', '₹', '$') || printf('%,d.%02d', ${amount} / 100, ${amount} % 100))`,
  )

/** In SQL, a part of the date when the plan of purchase `p` ends. */
const planEnd = (part: string) =>
  sql.raw(
    `strftime('${part}', p.paid_at / 1000 + (p.access_days + p.extra_days) * 86400, 'unixepoch')`,
  )

const taxOf = taxParts(sql`p.amount_minor`, sql`r.tax_rate`, sql`r.supply`)
const taxOfNotes = taxParts(sql`c.amount`, sql`r.tax_rate`, sql`r.supply`)

/** In SQL, when the id of purchase `p` was made, in milliseconds UTC. */
const MADE_AT = `(${Array.from(
  { length: 10 },
  (_, place) => `(instr('${DIGITS}', substr(p.id, ${14 - place}, 1)) - 1) * ${32 ** place}`,
).join(' + ')})`

/** In SQL, "2026-11-18 05:30" of an instant; NULL for NULL. */
const minute = (at: string) => sql.raw(`strftime('%Y-%m-%d %H:%M', ${at} / 1000, 'unixepoch')`)

/** Rows written in one batch may have the times of requests that began this far apart. */
const LAG_MS = hours(1)

const isOfAnotherTime = sql`g.granted_at NOT BETWEEN m.created_at - ${LAG_MS} AND m.updated_at + ${LAG_MS}`

/**
 * The rules of money and tokens (docs/decisions/0004). Each query finds the rows that break its rule, and `what`
 * describes each. The schema refuses most of this, so a finding means a damaged file, a bad restore, or somebody who
 * wrote past the guards. What Razorpay knows is compared by the audit (edge-api/domain/purchase/audit-payments.ts).
 */
const RULES: Record<string, SQL> = {
  'a balance is the sum of its ledger entries': sql`
    SELECT 'account ' || b.user_id || ' (' || b.payment_mode || ') has ' || ${count('b.total')} || ' tokens and used '
      || ${count('b.used')} || '; its entries say '
      || ${count("sum(CASE WHEN l.kind <> 'use' THEN l.tokens END)")} || ' and '
      || ${count("-sum(CASE WHEN l.kind = 'use' THEN l.tokens END)")} AS what
    FROM balances b
    LEFT JOIN ledger l ON l.user_id = b.user_id AND l.payment_mode = b.payment_mode
    GROUP BY b.user_id, b.payment_mode
    HAVING b.total <> coalesce(sum(CASE WHEN l.kind <> 'use' THEN l.tokens END), 0)
      OR b.used <> -coalesce(sum(CASE WHEN l.kind = 'use' THEN l.tokens END), 0)`,
  'an account with ledger entries has a balance': sql`
    SELECT DISTINCT 'account ' || l.user_id || ' (' || l.payment_mode || ') has none' AS what
    FROM ledger l
    LEFT JOIN balances b ON b.user_id = l.user_id AND b.payment_mode = l.payment_mode
    WHERE b.user_id IS NULL`,
  'what is left of purchases and gifts adds up to the balance': sql`
    SELECT 'account ' || b.user_id || ' (' || b.payment_mode || ') has ' || ${count('b.total - b.used')} || ' tokens left, and its purchases and gifts '
      || ${count('coalesce(sum(o.left), 0)')} AS what
    FROM balances b
    LEFT JOIN lots o ON o.user_id = b.user_id AND o.payment_mode = b.payment_mode
    GROUP BY b.user_id, b.payment_mode
    HAVING b.total - b.used <> coalesce(sum(o.left), 0)`,
  // A purchase may get restored tokens back, and operators take tokens that were not bought first.
  'the oldest tokens are used first': sql`
    SELECT 'account ' || k.user_id || ' (' || k.payment_mode || ') used ' || coalesce(${count('k.used')}, 'an unknown number')
      || ' of the ' || ${count('k.tokens')} || ' tokens of ' || k.ref AS what
    FROM (
      SELECT l.*, o.number, o.tokens - o.left + coalesce((
        SELECT sum(r.tokens) FROM ledger r WHERE r.purchase_id = l.purchase_id AND r.kind IN ('reversal', 'restoration')
      ), 0) AS used
      FROM ledger l
      LEFT JOIN lots o ON o.ref = l.ref AND o.user_id = l.user_id AND o.payment_mode = l.payment_mode
        AND o.purchase_id IS l.purchase_id AND o.tokens = l.tokens
      WHERE l.tokens > 0 AND l.kind <> 'restoration'
    ) k
    WHERE coalesce(k.used, -1) < 0 OR (k.used > 0 AND EXISTS (
      SELECT 1 FROM lots o
      WHERE o.user_id = k.user_id AND o.payment_mode = k.payment_mode AND o.number < k.number AND o.left > 0
        AND NOT EXISTS (SELECT 1 FROM ledger r WHERE r.purchase_id = o.purchase_id AND r.kind = 'restoration')
        AND NOT (o.purchase_id IS NOT NULL AND k.purchase_id IS NULL AND EXISTS (
          SELECT 1 FROM ledger r
          WHERE r.user_id = k.user_id AND r.payment_mode = k.payment_mode AND r.kind = 'adjustment' AND r.tokens < 0
        ))
    ))`,
  'purchases and gifts are used in the order in which they came': sql`
    SELECT 'account ' || user_id || ' (' || payment_mode || ') uses the tokens of ' || ref || ' after those that came later' AS what
    FROM (
      SELECT o.*, l.created_at AS at, max(l.created_at) OVER (PARTITION BY o.user_id, o.payment_mode ORDER BY o.number) AS latest
      FROM lots o JOIN ledger l ON l.ref = o.ref
    )
    WHERE at < latest - ${LAG_MS}`,
  'the usage of a day is the sum of its ledger entries': sql`
    SELECT 'account ' || user_id || ' (' || payment_mode || ') on ' || date(day / 1000, 'unixepoch') || ' (' || mode || ') differs by '
      || ${count('sum(tokens)')} || ' tokens' AS what
    FROM (
      SELECT user_id, payment_mode, day, mode, tokens FROM usage_days
      UNION ALL
      SELECT user_id, payment_mode, created_at - created_at % 86400000, coalesce(usage_mode, ''), tokens
      FROM ledger WHERE kind = 'use'
    )
    GROUP BY user_id, payment_mode, day, mode
    HAVING sum(tokens) <> 0`,
  'the usage totals are the sums of the ended usage sessions': sql`
    SELECT 'account ' || user_id AS what
    FROM (
      SELECT user_id, completed, rated, succeeded, seconds_saved FROM usage_totals
      UNION ALL
      SELECT user_id, -1, -(has_succeeded IS NOT NULL), -coalesce(has_succeeded, 0), -seconds_saved
      FROM usage_sessions
      WHERE ended_at IS NOT NULL
    )
    GROUP BY user_id
    HAVING sum(completed) <> 0 OR sum(rated) <> 0 OR sum(succeeded) <> 0 OR sum(seconds_saved) <> 0`,
  'a grant has captured money of its purchase behind it': sql`
    SELECT 'purchase ' || g.purchase_id || ' gave ' || ${count('g.tokens')} || ' tokens for '
      || coalesce(${money('p.amount_minor', 'p.currency')} || ' and ' || ${count('p.tokens')} || ' tokens', 'nothing')
      || '; its payment ' || g.payment_id || coalesce(' is of ' || ${money('m.amount_minor', 'm.currency')}, ' is not captured')
      || iif(g.user_id = p.user_id, '', ', and they went to ' || g.user_id || ' instead of the buyer')
      || iif(${isOfAnotherTime}, ', and it came at another time', '') AS what
    FROM grants g
    LEFT JOIN purchases p ON p.id = g.purchase_id
    LEFT JOIN payments m ON m.id = g.payment_id AND m.purchase_id = g.purchase_id AND m.rank = 3
    WHERE m.id IS NULL OR p.id IS NULL OR m.amount_minor <> p.amount_minor OR m.currency <> p.currency
      OR g.tokens <> p.tokens OR g.user_id <> p.user_id OR g.payment_mode <> p.payment_mode
      OR ${isOfAnotherTime}
      OR m.razorpay_order_id NOT IN (coalesce(p.razorpay_order_id, ''), coalesce(p.razorpay_link_order_id, ''))`,
  'a payment is on an order of its purchase and began after it, and its refunds and disputes began after the payment': sql`
    SELECT 'purchase ' || p.id || ' was ordered on ' || ${minute(MADE_AT)} || '; its payment ' || m.id || ' on ' || m.razorpay_order_id
      || ' began on ' || ${minute('m.began_at')} || coalesce('; its ' || t.kind || ' ' || t.id || ' began on ' || ${minute('t.began_at')}, '') AS what
    FROM payments m
    JOIN purchases p ON p.id = m.purchase_id
    LEFT JOIN refunds_and_disputes t ON t.payment_id = m.id AND t.began_at NOT BETWEEN m.began_at - ${LAG_MS} AND t.created_at + ${LAG_MS}
    WHERE t.id IS NOT NULL OR m.began_at NOT BETWEEN ${sql.raw(MADE_AT)} - ${LAG_MS} AND m.created_at + ${LAG_MS}
      OR m.razorpay_order_id NOT IN (coalesce(p.razorpay_order_id, ''), coalesce(p.razorpay_link_order_id, ''))`,
  'the worth of a payment is in rupees': sql`
    SELECT 'purchase ' || purchase_id || ', payment ' || id || ' was worth ' || ${money('base_amount_minor', 'base_currency')} AS what
    FROM payments WHERE base_currency <> 'INR'`,
  'a payment link leads to Razorpay': sql`
    SELECT 'purchase ' || id || ' has the link ' || link_url AS what
    FROM purchases
    WHERE link_url NOT LIKE iif(payment_mode = 'emulator', 'http://%/l/%', 'https://rzp.io/%')`,
  'a purchase is of an item of the catalogue, and an unpaid one gives what others of it give': sql`
    SELECT 'purchase ' || id || ', a ' || kind || ' of ' || sku || ', gives ' || gives AS what
    FROM (
      SELECT id, sku, kind, gives, paid_at, lag(gives) OVER time AS before, lead(gives) OVER time AS after,
        count(*) OVER (PARTITION BY sku, gives) AS times
      FROM (SELECT *, ${count('tokens')} || ' tokens and ' || access_days || ' days' AS gives FROM purchases)
      WINDOW time AS (PARTITION BY sku ORDER BY created_at, id)
    )
    WHERE (paid_at IS NULL AND times = 1 AND gives <> before AND after = before) OR (sku, kind) NOT IN (VALUES ${sql.join(
      [...PLANS, TOKEN_PACK].map(({ sku, kind }) => sql`(${sku}, ${kind})`),
      sql`, `,
    )})`,
  // One that was recreated from its order has no key and no terms, and is of the time of its order.
  'a purchase is of the account that ordered it and of the time of its order': sql`
    SELECT 'purchase ' || p.id || ' is of account ' || p.user_id || ' and of ' || ${minute('p.created_at')} || ', and was ordered by '
      || coalesce(k.user_id, 'nobody') || ' on ' || ${minute(MADE_AT)} AS what
    FROM purchases p LEFT JOIN order_keys k ON k.purchase_id = p.id
    WHERE p.user_id <> k.user_id OR (k.user_id IS NULL AND p.terms_version <> '')
      OR p.created_at NOT BETWEEN ${sql.raw(MADE_AT)} - ${LAG_MS}
        AND ${sql.raw(MADE_AT)} + ${LAG_MS} + iif(p.terms_version = '', ${days(ORDER_DAYS)}, 0)`,
  'an order is of the purchase that Razorpay named when it was paid': sql`
    SELECT 'purchase ' || p.id || ' has the order ' || w.id || ', which is of ' || w.receipt AS what
    FROM (
      SELECT body ->> '$.payload.order.entity.id' AS id, body ->> '$.payload.order.entity.receipt' AS receipt
      FROM webhook_events WHERE event = 'order.paid'
    ) w
    JOIN purchases p ON p.razorpay_order_id = w.id OR p.razorpay_link_order_id = w.id
    WHERE p.id <> w.receipt`,
  'a grant is entered in the ledger once': sql`
    SELECT 'purchase ' || g.purchase_id || ' gave ' || ${count('g.tokens')} || ' tokens that the ledger does not have of then' AS what
    FROM grants g
    LEFT JOIN ledger l ON l.ref = 'grant:' || g.purchase_id AND l.tokens = g.tokens AND l.user_id = g.user_id
      AND l.payment_mode = g.payment_mode AND l.created_at = g.granted_at
    WHERE l.ref IS NULL`,
  'a ledger entry of a purchase has its grant': sql`
    SELECT 'purchase ' || l.purchase_id || ' gave nothing, and the ledger has ' || ${count('l.tokens')} || ' tokens of it ('
      || l.kind || ')' AS what
    FROM ledger l
    LEFT JOIN grants g ON g.purchase_id = l.purchase_id AND g.user_id = l.user_id AND g.payment_mode = l.payment_mode
    WHERE l.purchase_id IS NOT NULL AND g.purchase_id IS NULL`,
  'a ledger entry is named after its account or purchase': sql`
    SELECT 'account ' || user_id || ' has ' || ${count('tokens')} || ' tokens as ' || ref AS what
    FROM ledger
    WHERE kind <> 'adjustment' AND instr(ref, kind || ':' || coalesce(purchase_id, user_id)) <> 1`,
  'tokens that were given or taken by hand have the act of an operator': sql`
    SELECT 'account ' || l.user_id || ' has ' || ${count('l.tokens')} || ' tokens by hand (' || l.ref || ')' AS what
    FROM ledger l
    LEFT JOIN desk_acts a ON l.ref = 'adjustment:' || a.id AND a.user_id = l.user_id AND a.kind = 'adjust_tokens'
      AND a.changes ->> '$[0]' LIKE ${count('abs(l.tokens)')} || ' tokens are ' || iif(l.tokens > 0, 'given', 'taken') || ':%'
    WHERE l.kind = 'adjustment' AND a.id IS NULL`,
  'a plan that was extended has the act of an operator': sql`
    SELECT 'purchase ' || p.id || ' has ' || p.extra_days || ' extra days' AS what
    FROM purchases p
    LEFT JOIN desk_acts a ON a.subject = p.id AND a.kind = 'extend_plan' AND a.changes ->> '$[0]'
      LIKE 'The plan ends on ' || ltrim(${planEnd('%d')}, '0') || ' % ' || ${planEnd('%Y')} || ' instead of %'
    WHERE p.extra_days <> 0 AND a.id IS NULL`,
  // An address that an operator corrected is not proven until its owner opens the mail.
  'a trial was given once, to an account that proved its address': sql`
    SELECT 'account ' || l.user_id || ' has a trial of ' || ${count('l.tokens')} || ' tokens (' || l.ref || ')' AS what
    FROM ledger l
    LEFT JOIN users u ON u.id = l.user_id AND l.ref = 'trial:' || u.id
      AND EXISTS (SELECT 1 FROM trials t WHERE t.granted_at = l.created_at)
      AND (u.email_verified_at IS NOT NULL
        OR EXISTS (SELECT 1 FROM desk_acts a WHERE a.kind = 'correct_address' AND a.user_id = u.id))
    WHERE l.kind = 'trial' AND (u.id IS NULL OR l.tokens <> ${TRIAL_TOKENS} AND NOT EXISTS (
      SELECT 1 FROM ledger o WHERE o.kind = 'trial' AND o.tokens = l.tokens AND o.ref <> l.ref
    ))`,
  'the tokens that are due back were taken, or are known to be missing': sql`
    SELECT 'purchase ' || a.purchase_id || ': ' || ${count('a.due')} || ' tokens are due back, ' || ${count('a.reversed')}
      || ' were taken and ' || ${count('a.shortfall')} || ' are noted as missing' AS what
    FROM ${reversalAccount(sql`g.purchase_id`)} a
    WHERE a.due <> a.reversed + a.shortfall OR a.reversed < 0 OR (a.shortfall > 0 AND a.available > 0)`,
  'a refund that was asked for took its tokens, and is their price': sql`
    SELECT 'purchase ' || o.purchase_id || ': ' || ${money('o.amount_minor', 'p.currency')} || ' was asked back for '
      || ${count('o.tokens')} || ' tokens' AS what
    FROM owed_refunds o
    JOIN purchases p ON p.id = o.purchase_id
    LEFT JOIN ledger l ON l.purchase_id = o.purchase_id AND l.kind IN ('reversal', 'restoration')
    WHERE o.reason = 'asked_for'
    GROUP BY o.payment_id
    HAVING coalesce(-sum(l.tokens), 0) < o.tokens OR max(l.created_at = o.created_at) IS NOT 1
      OR o.amount_minor <> min(p.amount_minor - o.refunded_before_minor,
        (2 * p.amount_minor * o.tokens + p.tokens) / (2 * p.tokens))`,
  'an owed refund is done when its money went back, and only then': sql`
    SELECT 'purchase ' || o.purchase_id || ': ' || ${money('o.amount_minor', 'm.currency')} || ' is owed back ('
      || replace(o.reason, '_', ' ') || ') and ' || iif(o.done_at IS NULL, 'open', 'marked as done') || '; '
      || ${money('o.back', 'm.currency')} || ' of it went back' AS what
    FROM (
      SELECT o.*, m.currency, ${wentBack} AS back FROM owed_refunds o JOIN payments m ON m.id = o.payment_id
    ) o
    JOIN payments m ON m.id = o.payment_id
    WHERE (o.done_at IS NOT NULL) <> (o.back >= o.amount_minor)`,
  'an owed refund is tried until it is done, and knows the refund that was sent': sql`
    SELECT 'purchase ' || o.purchase_id || ': ' || ${money('o.amount_minor', 'm.currency')} || ' is owed back, '
      || iif(o.due_at IS NULL, 'is never', 'will be') || ' sent, and was sent as ' || coalesce(o.refund_id, 'nothing') AS what
    FROM owed_refunds o
    JOIN payments m ON m.id = o.payment_id
    LEFT JOIN refunds_and_disputes t ON t.id = o.refund_id AND t.payment_id = o.payment_id
    WHERE (o.due_at IS NULL) <> (o.done_at IS NOT NULL OR o.reason = 'mismatch')
      OR (o.refund_id IS NOT NULL AND t.id IS NULL)`,
  // A debt that follows too much would seem unpaid when it is paid, and be paid again.
  'an owed refund follows what had gone back or was owed before it': sql`
    SELECT 'purchase ' || purchase_id || ': of its payment, ' || ${money('refunded_before_minor', 'currency')}
      || ' are said to have gone back (' || ${money('lost_before_minor', 'currency')} || ' lost in disputes) before ' || ${money('amount_minor', 'currency')} || ' was owed back; it was no more than '
      || ${money('most', 'currency')} AS what
    FROM (
      SELECT o.*, m.currency, o.lost_before_minor + (
        SELECT max(m.amount_refunded_minor, coalesce(sum(t.amount_minor), 0)) FROM refunds_and_disputes t
        WHERE t.payment_id = o.payment_id AND t.kind = 'refund'
      ) + (
        SELECT coalesce(sum(e.amount_minor), 0) FROM owed_refunds e
        WHERE e.payment_id = o.payment_id AND e.number < o.number
      ) AS most
      FROM owed_refunds o JOIN payments m ON m.id = o.payment_id
    )
    WHERE refunded_before_minor > most OR lost_before_minor NOT BETWEEN 0 AND refunded_before_minor`,
  'money that is given back by hand has the act of an operator, and such an act its money': sql`
    SELECT 'purchase ' || o.purchase_id || ': ' || ${money('o.amount_minor', 'm.currency')} || ' is given back by nobody' AS what
    FROM owed_refunds o
    JOIN payments m ON m.id = o.payment_id
    LEFT JOIN desk_acts a ON a.kind = 'refund' AND a.subject = o.purchase_id AND a.created_at = o.created_at
      AND a.changes ->> '$[0]' LIKE '%(' || ${count('o.amount_minor')} || iif(m.currency = 'INR', ' paise) of ', ' cents) of ') || '%'
    WHERE o.reason = 'goodwill' AND a.id IS NULL
    UNION ALL
    SELECT 'purchase ' || a.subject || ': nothing is owed back of which an operator said: ' || (a.changes ->> '$[0]')
    FROM desk_acts a
    LEFT JOIN owed_refunds o ON o.purchase_id = a.subject AND o.created_at = a.created_at
    WHERE a.kind = 'refund' AND o.payment_id IS NULL`,
  'a purchase has the status and the time of payment of its money': sql`
    SELECT 'purchase ' || id || ' is ' || status || '; its money says ' || projected
      || iif(paid_at IS granted_at, '', ', and that it was paid at another time') AS what
    FROM (
      SELECT id, status, paid_at, ${statusOf(0)} AS projected, (
        SELECT g.granted_at FROM grants g WHERE g.purchase_id = purchases.id
      ) AS granted_at
      FROM purchases
    )
    WHERE paid_at IS NOT granted_at
      OR (status <> projected AND ('paid' IN (status, projected) OR 'refunded' IN (status, projected)
        OR 'review' IN (status, projected)))`,
  'captured money backs a grant or is owed back whole': sql`
    SELECT 'purchase ' || m.purchase_id || ' has ' || ${money('m.amount_minor', 'm.currency')} || ' of payment ' || m.id
      || ', which brought nothing and ' || coalesce('of which ' || ${money('o.amount_minor', 'm.currency')}
      || ' is owed back since ' || date(o.created_at / 1000, 'unixepoch') || ' (' || replace(o.reason, '_', ' ') || ')', 'is not owed back') AS what
    FROM payments m
    LEFT JOIN grants g ON g.payment_id = m.id
    JOIN purchases p ON p.id = m.purchase_id
    LEFT JOIN owed_refunds o ON o.payment_id = m.id AND o.number = 0
    WHERE m.rank = 3 AND m.amount_minor > 0 AND g.payment_id IS NULL
      AND (o.payment_id IS NULL OR o.amount_minor <> m.amount_minor OR o.purchase_id <> m.purchase_id
        OR o.created_at NOT BETWEEN m.created_at - ${LAG_MS} AND m.updated_at + ${LAG_MS}
        OR (m.conflict_at IS NULL
          AND (o.reason = 'mismatch') = ((m.amount_minor, m.currency) = (p.amount_minor, p.currency))))`,
  'a grant has a receipt': sql`
    SELECT 'purchase ' || g.purchase_id || ' has no receipt of its day' AS what
    FROM grants g
    LEFT JOIN receipts r ON r.purchase_id = g.purchase_id AND r.issued_at = g.granted_at
    WHERE r.purchase_id IS NULL`,
  'a tax invoice says what its buyer said': sql`
    SELECT 'purchase ' || p.id || ': the buyer said ' || p.billing || ', the invoice ' || r.invoice AS what
    FROM receipts r JOIN purchases p ON p.id = r.purchase_id
    WHERE r.invoice ->> '$.placeOfSupply' NOT LIKE
        iif(p.billing ->> '$.place' = ${OUTSIDE_INDIA}, 'Outside India', p.billing ->> '$.place' || ' %')
      OR (p.billing ->> '$.name', p.billing ->> '$.address', p.billing ->> '$.gstin') <> (coalesce(r.invoice ->> '$.buyerName', ''),
        coalesce(r.invoice ->> '$.buyerAddress', ''), coalesce(r.invoice ->> '$.buyerGstin', ''))`,
  'a receipt says what was sold': sql`
    SELECT 'purchase ' || p.id || ' is of ' || p.access_days || ' days and ' || ${count('p.tokens')} || ' tokens; its receipt says "'
      || r.line || '"' AS what
    FROM receipts r JOIN purchases p ON p.id = r.purchase_id
    WHERE r.line NOT LIKE '%' || iif(p.kind = 'plan', ', ' || p.access_days || ' days, ', ' token pack, ') || ${count('p.tokens')} || ' tokens'`,
  'a receipt is the one that was mailed': sql`
    SELECT 'purchase ' || r.purchase_id || ' has receipt ' || r.number || ' ("' || r.line || '"); mailed was ' || w.payload AS what
    FROM receipts r JOIN mails w ON w.id = 'mail-receipt:' || r.purchase_id
    WHERE (r.series, r.number) <> (w.payload ->> '$.series', w.payload ->> '$.number')
      OR r.line NOT LIKE '% ' || (w.payload ->> '$.item')`,
  'the tax of a receipt is the tax of its price': sql`
    SELECT 'purchase ' || p.id || ', receipt ' || r.number || ' of ' || ${money('p.amount_minor', 'p.currency')} || ': '
      || ${money('r.cgst_minor', 'p.currency')} || ' CGST, ' || ${money('r.sgst_minor', 'p.currency')} || ' SGST, '
      || ${money('r.igst_minor', 'p.currency')} || ' IGST at ' || (r.tax_rate / 100) || ' % (' || r.supply || ')' AS what
    FROM receipts r JOIN purchases p ON p.id = r.purchase_id
    WHERE (r.cgst_minor, r.sgst_minor, r.igst_minor) <> (${taxOf.cgst}, ${taxOf.sgst}, ${taxOf.igst})
      OR (r.tax_rate > 0) <> (r.supply IN ('intra_state', 'inter_state'))
      OR (r.supply = 'untaxed') <> (r.invoice IS NULL) OR (r.supply = 'untaxed') <> (r.series = '')
      OR (r.supply = 'export') <> (r.invoice ->> '$.note' IS NOT NULL)
      OR (r.supply = 'export') <> (r.invoice ->> '$.placeOfSupply' = 'Outside India' AND p.currency <> 'INR')
      OR (r.supply = 'intra_state')
        <> (substr(r.invoice ->> '$.placeOfSupply', 1, 2) IS substr(r.invoice ->> '$.sellerGstin', 1, 2)
          AND r.invoice IS NOT NULL)`,
  // A law or a seller that changes does so for longer than a quarter.
  'a tax rate or number of the seller does not change and soon change back': sql`
    SELECT 'purchase ' || purchase_id || ', receipt ' || number || ' says ' || says || '; those before and after it ' || before AS what
    FROM (
      SELECT *, lag(says) OVER time AS before, lead(says) OVER time AS after, lead(issued_at) OVER time AS ended_at
      FROM (
        SELECT *, lag(says) OVER time AS last
        FROM (
          SELECT *, supply = 'export' AS is_export, (tax_rate / 100.0) || ' %, GSTIN ' || (invoice ->> '$.sellerGstin') || ', SAC '
            || (invoice ->> '$.sac') || coalesce(', ' || (invoice ->> '$.note'), '') AS says
          FROM receipts WHERE invoice IS NOT NULL
        )
        WINDOW time AS (PARTITION BY is_export ORDER BY issued_at, number)
      )
      WHERE says IS NOT last
      WINDOW time AS (PARTITION BY is_export ORDER BY issued_at, number)
    )
    WHERE after = before AND ended_at - issued_at < ${days(90)}`,
  'a refund that went back has its credit note': sql`
    SELECT 'purchase ' || r.purchase_id || ': refund ' || t.id || ' of ' || ${money('t.amount_minor', 't.currency')}
      || coalesce(' has a note of ' || ${money('c.amount_minor', 't.currency')} || ' of ' || date(c.issued_at / 1000, 'unixepoch'), ' has none') AS what
    FROM refunds_and_disputes t
    JOIN grants g ON g.payment_id = t.payment_id
    JOIN receipts r ON r.purchase_id = g.purchase_id
    LEFT JOIN credit_notes c ON c.refund_id = t.id AND NOT c.is_cancellation
    WHERE t.kind = 'refund' AND t.state = 'final' AND t.amount_minor > 0
      AND (c.refund_id IS NULL OR c.purchase_id <> r.purchase_id OR c.amount_minor <> t.amount_minor
        OR c.issued_at NOT BETWEEN t.created_at - ${LAG_MS} AND max(t.updated_at, r.issued_at) + ${LAG_MS})`,
  'a credit note has its refund, and is cancelled when that came back': sql`
    SELECT 'purchase ' || c.purchase_id || ': refund ' || c.refund_id || ' is ' || coalesce(t.state, 'not known') || ', and credit note '
      || c.number || ' is ' || iif(d.refund_id IS NULL, 'not ', '') || 'cancelled' AS what
    FROM credit_notes c
    LEFT JOIN refunds_and_disputes t ON t.id = c.refund_id AND t.kind = 'refund' AND t.state IN ('final', 'undone')
    LEFT JOIN credit_notes d ON d.refund_id = c.refund_id AND d.is_cancellation AND d.amount_minor = -c.amount_minor
    WHERE NOT c.is_cancellation AND (t.state = 'undone') IS NOT (d.refund_id IS NOT NULL)`,
  // After each note. A cancelled one may have been rounded differently from the ones that are left, and those of a seller who no
  // longer charges tax come first here.
  'credit notes take back the tax of the money that went back': sql`
    SELECT 'purchase ' || r.purchase_id || ': credit notes of ' || ${money('c.amount', 'p.currency')} || ' take back '
      || ${money('c.tax', 'p.currency')} || ' of tax (' || r.supply || ')' AS what
    FROM receipts r
    JOIN purchases p ON p.id = r.purchase_id
    JOIN (
      SELECT purchase_id, supply, cgst_minor <> sgst_minor AS is_uneven, sum(amount_minor) OVER so_far AS amount,
        sum(cgst_minor) OVER so_far AS cgst, sum(igst_minor) OVER so_far AS igst,
        sum(cgst_minor + sgst_minor + igst_minor) OVER so_far AS tax, sum(is_cancellation OR series = '') OVER so_far AS rounded
      FROM credit_notes WINDOW so_far AS (PARTITION BY purchase_id ORDER BY series, number)
    ) c ON c.purchase_id = r.purchase_id
    WHERE c.supply <> r.supply OR c.is_uneven
      OR abs(c.cgst - ${taxOfNotes.cgst}) > c.rounded OR abs(c.igst - ${taxOfNotes.igst}) > c.rounded`,
  'receipts and credit notes are numbered in the order of their time, each in its year': sql`
    SELECT document || ' ' || coalesce(nullif(series, '') || ': ', '') || number || ' is of ' || date(at / 1000, 'unixepoch')
      || coalesce(', the one before of ' || date(before / 1000, 'unixepoch'), '') AS what
    FROM (
      SELECT *, lag(at) OVER (PARTITION BY document, series ORDER BY number) AS before
      FROM (
        SELECT 'receipt' AS document, series, number, issued_at AS at FROM receipts
        UNION ALL
        SELECT 'credit note', series, number, issued_at FROM credit_notes
      )
    )
    WHERE at < before - ${LAG_MS}
      OR substr(nullif(series, ''), 1, 2) <> substr(strftime('%Y', at / 1000, 'unixepoch', '+330 minutes', '-3 months'), 3)`,
  'receipts and credit notes are numbered from 1 to the last number given': sql`
    SELECT replace(document, '_', ' ') || 's ' || coalesce(nullif(series, '') || ': ', '') || sum(papers) || ' are here, the highest is '
      || sum(last) || ', and ' || sum(given) || ' were given' AS what
    FROM (
      SELECT document, series, 0 AS papers, 0 AS last, highest AS given FROM document_series
      UNION ALL
      SELECT 'receipt', series, count(*), max(number), 0 FROM receipts GROUP BY series
      UNION ALL
      SELECT 'credit_note', series, count(*), max(number), 0 FROM credit_notes GROUP BY series
    )
    GROUP BY document, series
    HAVING sum(papers) <> sum(given) OR sum(last) <> sum(given)`,
  'what a buyer was told of is here': sql`
    SELECT 'account ' || user_id || ' was told of ' || id AS what
    FROM (
      SELECT user_id, id FROM account_events WHERE kind IN ('paid', 'refunded', 'disputed')
      UNION ALL
      SELECT user_id, id FROM mails WHERE kind IN ('receipt', 'refund', 'refund_asked')
    )
    WHERE id LIKE '%:%' AND substr(id, instr(id, ':') + 1) NOT IN (
      SELECT purchase_id FROM receipts
      UNION ALL
      SELECT id FROM refunds_and_disputes
      UNION ALL
      SELECT payment_id FROM owed_refunds WHERE reason = 'asked_for'
    )`,
  'an account that was deleted has no address, and every other has one': sql`
    SELECT 'account ' || id || ' was ' || iif(deleted_at IS NULL, 'not ', '') || 'deleted, and has ' || iif(email = 'deleted', 'no', 'an')
      || ' address' AS what
    FROM users
    WHERE (deleted_at IS NULL) = (email = 'deleted' OR email_key = 'deleted:' || id)`,
  'what only operators do has the act of one': sql`
    SELECT what
    FROM (
      SELECT 'account ' || id || ' was suspended' AS what, id, suspended_at AS at FROM users
      UNION ALL
      SELECT 'the suspension of account ' || u.id || ' was lifted', u.id, -1
      FROM users u JOIN desk_acts s ON s.kind = 'suspend' AND s.user_id = u.id
      LEFT JOIN desk_acts a ON a.kind = 'lift_suspension' AND a.user_id = u.id AND a.created_at >= s.created_at
      WHERE u.suspended_at IS NULL AND u.deleted_at IS NULL AND a.id IS NULL
      UNION ALL
      SELECT 'alarm ' || id || ' (' || kind || ') was acknowledged', id, acknowledged_at FROM alarms
      UNION ALL
      SELECT 'the switch of ' || name || ' was set', name, changed_at FROM switches
    ) x
    WHERE at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM desk_acts a WHERE a.created_at = x.at AND x.id IN (a.user_id, a.subject))`,
}

export const RULE_COUNT = Object.keys(RULES).length

/** Findings shown of each broken rule; there may be many more. */
const SHOWN = 5

const dialect = new SQLiteSyncDialect()

/** A query for each rule. */
const QUERIES = Object.values(RULES).map(
  (rule) => dialect.sqlToQuery(sql`${rule} LIMIT ${SHOWN + 1}`.inlineParams()).sql,
)

/** Reads every rule and writes nothing. Returns a line for each finding, none when all rules hold. */
export async function verifyLedger({ url, authToken }: DatabaseAddress): Promise<string[]> {
  const client = createClient({ url, ...(authToken ? { authToken } : {}) })
  try {
    return await brokenRules(async (queries) => {
      const results = await client.batch([...queries], 'read').catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error)
        throw new LaunchError(`The database at ${url} cannot be read: ${reason}`)
      })
      return results.map(({ rows }) => rows)
    })
  } finally {
    client.close()
  }
}

type Rows = readonly Readonly<Record<string, unknown>>[]

/** As `verifyLedger`, for a database that `read` asks all queries at once, so that all rules see the same instant. */
export async function brokenRules(
  read: (queries: readonly string[]) => Promise<readonly Rows[]>,
): Promise<string[]> {
  const found = await read(QUERIES)
  return Object.keys(RULES).flatMap((rule, index) => {
    const broken = found[index] ?? []
    if (broken.length === 0) return []
    return [
      `Broken: ${rule}.`,
      ...broken.slice(0, SHOWN).map((row) => `  ${String(row['what'])}`),
      ...(broken.length > SHOWN ? ['  … and more'] : []),
    ]
  })
}
