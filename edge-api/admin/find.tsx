/** @jsxImportSource hono/jsx */
import { type SQL, sql } from 'drizzle-orm'
import { CORRECTION_DAYS } from '../../src/contract/limits.ts'
import { z } from '../../src/contract/zod.ts'
import { accountKey, addressKey } from '../domain/account/address.ts'
import { formatMoney } from '../domain/format-money.ts'
import { days } from '../domain/time.ts'
import { pageOf } from './actions/action.ts'
import { LIST } from './actions/submission.ts'
import { type Call, show, Table, When } from './page.tsx'

/** The most results of one kind. */
const EACH = 8
/** A shorter part is in too many addresses. */
const PART_MIN = 3
const TYPED_MAX = 254

const Row = z.object({
  kind: z.string(),
  /** The match as a person would write it: an address, an id, `T-12`. */
  name: z.string(),
  note: z.string(),
  amountMinor: z.int().nullable(),
  currency: z.string().nullable(),
  at: z.int(),
  /** The account it belongs to; null for a submission from an address without an account. */
  userId: z.string().nullable(),
})
type Found = z.infer<typeof Row>

/** `GET /admin/find?q=…`: what was found, or its page if it is one thing. */
export async function showFound(c: Call): Promise<Response> {
  const typed = (c.req.query('q') ?? '').trim().slice(0, TYPED_MAX)
  const { ctx } = c.env
  const { searches } = ctx.queues
  const found =
    typed.length < 2
      ? []
      : await searches.run(ctx.visitor.ipPrefix, () => find(ctx, typed), c.get('admin'))
  const [only] = found
  if (only !== undefined && found.every((row) => placeOf(row) === placeOf(only))) {
    const place = placeOf(only)
    if (place !== null) return c.redirect(place, 302)
  }
  const title = `Found for “${typed}”`
  if (found.length === 0) {
    return show(c, { title }, <p>Nothing was found. Check the spelling, or use another id.</p>)
  }
  return show(
    c,
    { title },
    <Table name={title} head={['What', 'Name', 'State', 'Since']}>
      {found.map((row) => (
        <tr>
          <td>{row.kind}</td>
          <td>
            {placeOf(row) === null ? row.name : <a href={placeOf(row) ?? undefined}>{row.name}</a>}
          </td>
          <td>{row.note}</td>
          <td>
            <When at={row.at} />
          </td>
        </tr>
      ))}
    </Table>,
  )
}

/** The page of something that was found; null for a mail to the team. */
function placeOf({ kind, name, userId }: Found): string | null {
  if (kind === 'ticket' || kind === 'application') return `${LIST}/${name}`
  if (kind === 'dispute') return `/admin/disputes/${name}`
  return userId === null ? null : pageOf(userId)
}

/**
 * Everything whose address, name, id or number begins with the typed text, each thing once. Each search is one range of one
 * index, so that the time does not grow with the tables. Accounts are also found by any part of their address or username;
 * for that two indexes are read whole, which takes a third of a second beside a million accounts.
 */
export async function find({ db, now }: Call['env']['ctx'], typed: string): Promise<Found[]> {
  const { rows } = await db.batch({
    rows: searches(typed, now).map((search) => db.all(sql`${search} LIMIT ${EACH}`)),
  })
  const found = z.array(Row).parse(rows.flat())
  const noted = found.map((row) => {
    const { note, amountMinor, currency } = row
    const money =
      amountMinor === null || currency === null ? [] : [formatMoney(amountMinor, currency)]
    return { ...row, note: [note, ...money].join(' · ') }
  })
  return [...new Map(noted.map((row) => [`${row.kind} ${row.name} ${row.userId}`, row])).values()]
}

function searches(typed: string, now: number): SQL[] {
  const key = accountKey(typed)
  const inAscii = key.includes('@') ? addressKey(key) : key
  const [, letter = '', digits] = /^([art]-?|#)?0*(\d{1,9})$/.exec(key) ?? []
  const number = (of: string) =>
    digits !== undefined && ['', '#', of, `${of}-`].includes(letter) ? Number(digits) : null
  return [
    accountsBy(sql`u.email_key`, key),
    ...(inAscii === key ? [] : [accountsBy(sql`u.email_key`, inAscii)]),
    accountsBy(sql`u.username_key`, key),
    accountsBy(sql`u.id`, key),
    ...(key.length < PART_MIN ? [] : [accountsWith(EMAIL, key), accountsWith(USERNAME, key)]),
    accountsByFormerAddress(key, now),
    purchasesBy(sql`p.id`, key),
    purchasesBy(sql`p.razorpay_order_id`, typed),
    purchasesBy(sql`p.razorpay_link_order_id`, typed),
    purchasesBy(sql`p.razorpay_link_id`, typed),
    paymentsBy(typed),
    refundsAndDisputesBy(typed),
    receiptsBy(key, number('r')),
    submissionsBy(TICKETS, sql`s.number = ${number('t')}`),
    submissionsBy(TICKETS, fromAddress(key)),
    submissionsBy(APPLICATIONS, sql`s.number = ${number('a')}`),
    submissionsBy(APPLICATIONS, fromAddress(key)),
    mailsBy(typed),
  ]
}

/** In SQL, whether a text begins with this one: a range, so that an index answers it. */
function begins(text: SQL, start: string): SQL {
  return sql`${text} >= ${start} AND ${text} < ${start + '\u{10ffff}'}`
}

const ACCOUNT = sql`SELECT 'account' AS kind, u.email AS name, u.username || iif(u.deleted_at IS NULL,
      iif(u.email_verified_at IS NULL, ' · not verified', ''), ' · deleted')
      || iif(u.suspended_at IS NULL, '', ' · suspended') AS note,
    NULL AS amountMinor, NULL AS currency, u.created_at AS at, u.id AS userId
    FROM users u`

function accountsBy(column: SQL, start: string): SQL {
  return sql`${ACCOUNT} WHERE ${begins(column, start)} ORDER BY ${column}`
}

const EMAIL = sql.raw('email_key')
const USERNAME = sql.raw('username_key')

function accountsWith(column: SQL, part: string): SQL {
  return sql`${ACCOUNT} WHERE u.rowid IN
    (SELECT rowid FROM users WHERE instr(${column}, ${part}) > 0 LIMIT ${EACH})`
}

/** By the address before a correction that can be undone: a mail asks the reader of that address to write to us. */
function accountsByFormerAddress(start: string, now: number): SQL {
  return sql`SELECT 'account' AS kind, c.email AS name, 'former address, now ' || u.email || ' · ' || u.username AS note,
    NULL AS amountMinor, NULL AS currency, c.corrected_at AS at, u.id AS userId
    FROM address_corrections c JOIN users u ON u.id = c.user_id
    WHERE c.corrected_at > ${now - days(CORRECTION_DAYS)} AND ${begins(sql`c.email_key`, start)}
    ORDER BY c.corrected_at`
}

/** Whether a bank disputes payment `m`. */
const isDisputed = sql`EXISTS (
  SELECT 1 FROM refunds_and_disputes t WHERE t.payment_id = m.id AND t.kind = 'dispute' AND t.state = 'open'
)`

function purchasesBy(column: SQL, start: string): SQL {
  return sql`SELECT 'purchase' AS kind, p.id AS name, replace(p.sku, '_', ' ') || ' · ' || iif(EXISTS (
      SELECT 1 FROM payments m WHERE m.purchase_id = p.id AND ${isDisputed}
    ), 'disputed', p.status) AS note,
    p.amount_minor AS amountMinor, p.currency, p.created_at AS at, p.user_id AS userId
    FROM purchases p WHERE ${begins(column, start)} ORDER BY ${column}`
}

const STATE_OF_PAYMENT = sql`CASE
  WHEN m.rank = 0 THEN 'created'
  WHEN m.rank = 1 THEN 'failed'
  WHEN m.rank = 2 THEN 'authorized'
  WHEN ${isDisputed} THEN 'disputed'
  WHEN m.refunded_minor + m.lost_minor >= m.amount_minor THEN 'refunded'
  WHEN m.refunded_minor + m.lost_minor > 0 THEN 'partly refunded'
  ELSE 'captured'
END`

function paymentsBy(start: string): SQL {
  return sql`SELECT 'payment' AS kind, m.id AS name, ${STATE_OF_PAYMENT} AS note,
    m.amount_minor AS amountMinor, m.currency, m.created_at AS at, p.user_id AS userId
    FROM payments m JOIN purchases p ON p.id = m.purchase_id
    WHERE ${begins(sql`m.id`, start)} ORDER BY m.id`
}

function refundsAndDisputesBy(start: string): SQL {
  return sql`SELECT t.kind, t.id AS name, t.state AS note,
    t.amount_minor AS amountMinor, t.currency, t.began_at AS at, p.user_id AS userId
    FROM refunds_and_disputes t JOIN payments m ON m.id = t.payment_id
    JOIN purchases p ON p.id = m.purchase_id
    WHERE ${begins(sql`t.id`, start)} ORDER BY t.id`
}

/** By a number without tax (R-000001, or 1) or with it (R/26-27/000001). */
function receiptsBy(typed: string, plain: number | null): SQL {
  const [, series = '', digits] = /^r\/(\d\d-\d\d)\/0*(\d{1,9})$/.exec(typed) ?? []
  const number = digits === undefined ? plain : Number(digits)
  return sql`SELECT 'receipt' AS kind, iif(r.series = '', 'R-', 'R/' || r.series || '/') || printf('%06d', r.number) AS name,
    r.buyer_email AS note, p.amount_minor AS amountMinor, p.currency, r.issued_at AS at, p.user_id AS userId
    FROM receipts r JOIN purchases p ON p.id = r.purchase_id
    WHERE r.series = ${series} AND r.number = ${number}`
}

const TICKETS = {
  kind: 'ticket',
  letter: 'T-',
  table: sql.raw('support_tickets'),
  note: sql.raw("s.severity || iif(s.state = 'closed', ' · done', ' · open')"),
}
const APPLICATIONS = {
  kind: 'application',
  letter: 'A-',
  table: sql.raw('job_applications'),
  note: sql.raw("s.job_id || iif(s.decided_at IS NULL, ' · open', ' · done')"),
}

function submissionsBy({ kind, letter, table, note }: typeof TICKETS, condition: SQL): SQL {
  return sql`SELECT ${kind} AS kind, ${letter} || s.number AS name, ${note} || ' · ' || s.email AS note,
    NULL AS amountMinor, NULL AS currency, s.created_at AS at,
    (SELECT u.id FROM users u WHERE u.email_key = lower(s.email)) AS userId
    FROM ${table} s WHERE ${condition}`
}

/** The newest first. In the order of their index, of which a search reads a few rows. */
function fromAddress(start: string): SQL {
  const email = sql`lower(s.email)`
  return sql`${begins(email, start)} ORDER BY ${email} DESC, s.number DESC`
}

/** Mails by their ids, which alerts name. Their case counts. */
function mailsBy(start: string): SQL {
  return sql`SELECT 'mail' AS kind, e.id AS name, replace(e.kind, '_', ' ') || ' to ' || e.to_address || ' · ' || CASE
      WHEN e.sent_at IS NOT NULL THEN 'sent' WHEN e.failed_at IS NOT NULL THEN 'given up' ELSE 'waits'
    END AS note,
    NULL AS amountMinor, NULL AS currency, e.created_at AS at, e.user_id AS userId
    FROM mails e WHERE ${begins(sql`e.id`, start)} ORDER BY e.id`
}
