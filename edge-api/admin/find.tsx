/** @jsxImportSource hono/jsx */
import { type SQL, sql } from 'drizzle-orm'
import { CORRECTION_DAYS } from '../../src/contract/limits.ts'
import { z } from '../../src/contract/zod.ts'
import { hasOpenDispute } from '../db/has-open-dispute.ts'
import { accountKey, emailKeyOf } from '../domain/account/address.ts'
import type { Context } from '../domain/context.ts'
import { RETURNED_BY_BANK } from '../domain/purchase/purchase.ts'
import { Row } from '../domain/report/row.ts'
import { days } from '../domain/time.ts'
import { RECEIPT_NUMBER, STATE_IN_WORDS, STATUS_OF_PAYMENT } from './customer-rows.ts'
import { List, placeOf } from './list.tsx'
import { type Call, show } from './page.tsx'

/** The most results of one kind. */
const EACH = 8
/** A shorter part is in too many addresses. */
const PART_MIN = 3
const TYPED_MAX = 254

/** `GET /admin/find?q=…`: what was found, or its page if it is one thing. */
export async function showFound(c: Call): Promise<Response> {
  const typed = (c.req.query('q') ?? '').trim().slice(0, TYPED_MAX)
  const { ctx } = c.env
  const { searches } = ctx.queues
  const found =
    typed.length < 2
      ? []
      : await searches.run(ctx.visitor.ipPrefix, () => find(ctx, typed), c.get('admin'))
  // The page of an account lists what else has its address.
  const exact = found.filter(
    ({ what, who }) => what === 'account' && who.toLowerCase() === typed.toLowerCase(),
  )
  const [place, ...others] = new Set((exact.length === 0 ? found : exact).map(placeOf))
  if (place != null && others.length === 0) return c.redirect(place, 302)
  const title = `Found for “${typed}”`
  return show(c, { title }, <List name={title} rows={found} now={ctx.now} />)
}

/**
 * Everything whose address, name, id or number begins with the typed text, each thing once. Each search is one range of one
 * index, so that the time does not grow with the tables. Accounts are also found by any part of their address or username;
 * for that two indexes are read whole, which takes a third of a second beside a million accounts.
 */
export async function find({ db, now }: Context, typed: string): Promise<Row[]> {
  const { rows } = await db.batch({
    rows: searchesFor(typed, now).map((search) => db.all(sql`${search} LIMIT ${EACH}`)),
  })
  const found = z.array(Row).parse(rows.flat())
  return [...new Map(found.map((row) => [`${row.what} ${row.name} ${row.userId}`, row])).values()]
}

function searchesFor(typed: string, now: number): SQL[] {
  const key = accountKey(typed)
  // As it was typed, and with its domain in ASCII, in which most rows have it.
  const addresses = [...new Set(key.includes('@') ? [key, emailKeyOf(key)] : [key])]
  const [, letter = '', digits] = /^([art]-?|#)?0*(\d{1,9})$/.exec(key) ?? []
  const number = (of: string) =>
    digits !== undefined && ['', '#', of, `${of}-`].includes(letter) ? Number(digits) : null
  // Numbered with tax (R/26-27/000001) or without (R-000001, or 1).
  const [, series = '', inSeries] = /^r\/(\d\d-\d\d)\/0*(\d{1,9})$/.exec(key) ?? []
  const receipt = inSeries === undefined ? number('r') : Number(inSeries)
  const before = now - days(CORRECTION_DAYS)
  return [
    ...addresses.map((start) => accountsBy('u.email_key', start)),
    accountsBy('u.username_key', key),
    accountsBy('u.id', key),
    ...(key.length < PART_MIN ? [] : [accountsWith('email', key), accountsWith('username', key)]),
    // A mail asks the reader of the address before a correction to write to us.
    ...addresses.map(
      (start) => sql`
      SELECT 'account' AS what, c.email AS name, u.email AS who, 'former address' AS text, c.corrected_at AS at, u.id AS userId
      FROM address_corrections c JOIN users u ON u.id = c.user_id
      WHERE c.corrected_at > ${before} AND ${begins('c.email_key', start)} ORDER BY c.corrected_at`,
    ),
    purchasesBy('p.id', key),
    purchasesBy('p.razorpay_order_id', typed),
    purchasesBy('p.razorpay_link_order_id', typed),
    purchasesBy('p.razorpay_link_id', typed),
    sql`SELECT 'payment' AS what, m.id AS name, ${STATE_OF_PAYMENT} AS tag, m.created_at AS at,
      m.amount_minor AS amountMinor, m.currency, ${OF_BUYER}
      FROM payments m JOIN purchases p ON p.id = m.purchase_id
      WHERE ${begins('m.id', typed)} ORDER BY m.id`,
    sql`SELECT t.kind AS what, t.id AS name, ${STATE_IN_WORDS} AS tag, t.began_at AS at,
      t.amount_minor AS amountMinor, t.currency, ${OF_BUYER}
      FROM refunds_and_disputes t JOIN payments m ON m.id = t.payment_id JOIN purchases p ON p.id = m.purchase_id
      WHERE ${begins('t.id', typed)} ORDER BY t.id`,
    sql`SELECT 'receipt' AS what, ${RECEIPT_NUMBER} AS name, r.issued_at AS at,
      p.amount_minor AS amountMinor, p.currency, ${OF_BUYER}
      FROM receipts r JOIN purchases p ON p.id = r.purchase_id
      WHERE r.series = ${series} AND r.number = ${receipt}`,
    ...[sql`s.number = ${number('t')}`, ...addresses.map(fromAddress)].map(ticketsBy),
    ...[sql`s.number = ${number('a')}`, ...addresses.map(fromAddress)].map(applicationsBy),
    // By its id, which an alert names. Its case counts.
    sql`SELECT 'mail' AS what, e.id AS name, e.to_address AS who, e.kind AS tag, e.created_at AS at, e.user_id AS userId,
      CASE WHEN e.sent_at IS NOT NULL THEN 'sent' WHEN e.failed_at IS NOT NULL THEN 'given up' ELSE 'waits' END AS text
      FROM mails e WHERE ${begins('e.id', typed)} ORDER BY e.id`,
  ]
}

/** In SQL, whether a text begins with this one: a range, so that an index answers it. */
function begins(column: string, start: string): SQL {
  const text = sql.raw(column)
  return sql`${text} >= ${start} AND ${text} < ${start + '\u{10ffff}'}`
}

const ACCOUNT = sql`SELECT 'account' AS what, u.username AS name, u.email AS who, u.created_at AS at, u.id AS userId,
  iif(u.deleted_at IS NULL, iif(u.email_verified_at IS NULL, 'not verified', ''), 'deleted')
    || iif(u.suspended_at IS NULL, '', ' suspended') AS text FROM users u`

const accountsBy = (column: string, start: string) =>
  sql`${ACCOUNT} WHERE ${begins(column, start)} ORDER BY ${sql.raw(column)}`

const accountsWith = (name: 'email' | 'username', part: string) => sql`${ACCOUNT} WHERE u.rowid IN
  (SELECT rowid FROM users WHERE instr(${sql.raw(`${name}_key`)}, ${part}) > 0 LIMIT ${EACH})`

/** Of a purchase `p`. */
const OF_BUYER = sql`p.user_id AS userId, (SELECT u.email FROM users u WHERE u.id = p.user_id) AS who`

const purchasesBy = (column: string, start: string) => sql`
  SELECT 'purchase' AS what, p.id AS name, p.sku AS text, p.created_at AS at,
    iif(EXISTS (SELECT 1 FROM payments m WHERE m.purchase_id = p.id AND ${hasOpenDispute(sql`m.id`)}), 'disputed',
      iif(${RETURNED_BY_BANK}, 'returned by the bank', p.status)) AS tag,
    p.amount_minor AS amountMinor, p.currency, ${OF_BUYER}
  FROM purchases p WHERE ${begins(column, start)} ORDER BY ${sql.raw(column)}`

const STATE_OF_PAYMENT = sql`CASE WHEN m.rank < 3 THEN ${STATUS_OF_PAYMENT}
  WHEN ${hasOpenDispute(sql`m.id`)} THEN 'disputed'
  WHEN m.refunded_minor + m.lost_minor = 0 THEN 'captured'
  ELSE iif(m.refunded_minor + m.lost_minor < m.amount_minor, 'partly ', '')
    || iif(m.refunded_minor = 0, 'returned by the bank', 'refunded') END`

const SENDER = sql`s.email AS who, s.created_at AS at, (SELECT u.id FROM users u WHERE u.email_key = lower(s.email)) AS userId`

const ticketsBy = (condition: SQL) => sql`
  SELECT 'ticket' AS what, 'T-' || s.number AS name, s.severity AS tag, iif(s.state = 'closed', 'done', 'open') AS text, ${SENDER}
  FROM support_tickets s WHERE ${condition}`

const applicationsBy = (condition: SQL) => sql`
  SELECT 'application' AS what, 'A-' || s.number AS name, s.job_id AS tag, iif(s.decided_at IS NULL, 'open', 'done') AS text, ${SENDER}
  FROM job_applications s WHERE ${condition}`

/** The newest first. In the order of their index, of which a search reads a few rows. */
const fromAddress = (start: string) =>
  sql`${begins('lower(s.email)', start)} ORDER BY lower(s.email) DESC, s.number DESC`
