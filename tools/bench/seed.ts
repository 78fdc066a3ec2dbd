import { closeSync, fsyncSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, LibsqlError } from '@libsql/client/http'
import { type Item, describeSale, MAIN_PLAN, TOKEN_PACK } from '../../src/contract/catalogue.ts'

const DAY_MS = 86_400_000
/** How many users one transaction adds. The server ends a transaction after 5 seconds. */
const USERS_PER_BATCH = 500
const ROWS_PER_BATCH = 5_000

/** Runs statements in the database, all or none. */
type Run = (statements: string[]) => Promise<void> | void

interface Seed {
  run: Run
  /** Milliseconds UTC. Rows lie up to two years before it. */
  now: number
}

/**
 * Fills an empty, migrated database with users and their data: four in ten bought a plan and use tokens. Every row is
 * made inside the server and passes the schema's guards, so `verify-ledger` holds afterwards. The same count makes the
 * same rows.
 */
export async function seedUsers({ run, now }: Seed, count: number): Promise<void> {
  await inBatches(run, count, USERS_PER_BATCH, (range) => userStatements(range, now))
}

export interface History {
  userId: string
  /** Uses of one token each, over 90 days. */
  uses: number
  /** The number of events, of usage sessions and of ended sign-ins; a fifth as many paid token packs. */
  others: number
}

/** Gives one user a long history. */
export async function seedHistory({ run, now }: Seed, history: History): Promise<void> {
  const { userId, uses, others } = history
  const own = `'${userId}'`
  const pack = grantStatements({
    people: `(SELECT '${userId}' AS user_id, 'pur_p0000${userId.slice(-21)}' AS id, ${now - 90 * DAY_MS} AS at)`,
    item: { ...TOKEN_PACK, tokens: uses + 1_000 },
  })
  await run(pack)
  await inBatches(run, uses, ROWS_PER_BATCH, (range) => [
    insertUses(range, {
      userId: own,
      ref: `'use:${userId}:' || i`,
      at: `${now} - i * ${90 * DAY_MS} / ${Math.max(uses, 1)}`,
      session: `'session-past-' || (i / 50)`,
    }),
  ])
  await inBatches(run, others, ROWS_PER_BATCH, (range) => {
    const at = `${now} - i * ${80 * DAY_MS} / ${others} - 3600000`
    return [
      `INSERT INTO account_events (id, user_id, kind, detail, device, ip_prefix, created_at)
        SELECT 'evt_${userId}' || i, ${own}, 'signed_in', '{}', 'Chrome on Windows', '192.0.2.0/24', ${at} FROM ${range}`,
      `INSERT INTO sessions (id, user_id, kind, device, ip_prefix, is_remembered, created_at, last_used_at, expires_at, ended_at)
        SELECT 'ses_${userId}' || i, ${own}, 'browser', 'Chrome on Windows', '192.0.2.0/24', 0, ${at}, ${at}, ${now} + 1, ${at} + 1
        FROM ${range}`,
      `INSERT INTO usage_sessions (user_id, session_id, mode, started_at, ended_at, has_succeeded, seconds_saved)
        SELECT ${own}, 'session-past-' || i, 'meeting', ${at}, ${at} + 1000, i % 2, 60 FROM ${range}`,
      ...grantStatements({
        people: `(SELECT ${own} AS user_id, 'pur_' || printf('%08d', i) || '${userId.slice(-18)}' AS id, ${at} AS at FROM ${range} WHERE i % 5 = 0)`,
        item: TOKEN_PACK,
      }),
    ]
  })
}

/** Runs the statements of each range of numbers below `count` as one transaction. */
async function inBatches(
  run: Run,
  count: number,
  size: number,
  statementsOf: (range: string) => string[],
): Promise<void> {
  for (let from = 0; from < count; from += size) {
    const last = Math.min(from + size, count) - 1
    const range = `(WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${last}) SELECT i FROM n)`
    await run(statementsOf(range))
  }
}

/** Fills the file of a stopped server, which is several times quicker than through the server. */
export function intoFile(file: string): { run: Run; close: () => void } {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000')
  return {
    run: (statements) => {
      database.exec(`BEGIN; ${statements.join(';')}; COMMIT`)
    },
    close: () => {
      database.close()
      // Otherwise the server's first commit would wait until gigabytes have reached the disk.
      const opened = openSync(file, 'r')
      fsyncSync(opened)
      closeSync(opened)
    },
  }
}

/** Fills the database of a running server. */
export function throughServer(url: string): Run {
  return async (statements) => {
    const client = createClient({ url })
    await insist(() => client.batch(statements, 'write'))
    client.close()
  }
}

const PASSING = ['SQLITE_BUSY', 'TRANSACTION_TIMEOUT', 'TRANSACTION_CLOSED']

/** The server refuses writes while it moves its log into the database, and rolls back what a busy machine makes slow. */
async function insist(send: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await send()
      return
    } catch (error) {
      if (!(error instanceof LibsqlError) || !PASSING.includes(error.code)) throw error
      await pause(500)
    }
  }
}

function userId(i: string): string {
  return `'usr_' || printf('%026d', ${i})`
}

/** A number from 0 to below `sides` that looks random and is the same for the same user and salt. */
function dice(salt: number, sides: number): string {
  return `((i * 48271 + ${salt}) * 69621 % 2147483647 % ${sides})`
}

/** A moment in the days before `now`. */
function within(now: number, days: number, salt: number): string {
  return `(${now} - 1000 * ${dice(salt, days * 86_400)})`
}

function userStatements(range: string, now: number): string[] {
  const id = userId('i')
  const address = `'user' || i || '@example.test'`
  const joined = within(now, 730, 1)
  const started = within(now, 29, 2)
  const buyers = `(SELECT * FROM ${range} WHERE ${dice(3, 10)} < 4)`
  const paidAt = within(now, 730, 4)
  const plans = {
    people: `(SELECT ${id} AS user_id, 'pur_' || printf('%026d', i) AS id, ${paidAt} AS at FROM ${buyers})`,
    item: MAIN_PLAN,
  }
  return [
    `INSERT INTO users (id, username, username_key, email, email_key, password_hash, email_verified_at, terms_version, terms_accepted_at, terms_told_version, terms_told_at, created_at, updated_at)
      SELECT ${id}, 'user' || i, 'user' || i, ${address}, ${address}, '$scrypt$none', ${joined}, '2026-11-22', ${joined}, '2026-11-22', ${joined}, ${joined}, ${joined} FROM ${range}`,
    ...[0, 1].map(
      (nth) => `
      INSERT INTO sessions (id, user_id, kind, device, ip_prefix, is_remembered, created_at, last_used_at, expires_at, ended_at)
      SELECT 'ses_${nth}' || printf('%025d', i), ${id}, ${nth === 0 ? "'browser', 'Chrome on Windows'" : "'desktop', 'App for Windows'"},
        '192.0.2.0/24', 1, ${started}, ${started}, ${started} + ${30 * DAY_MS}, iif(${dice(5, 5)} = 0, ${started} + 1000, NULL)
      FROM ${range} WHERE ${dice(6 + nth, 10)} < ${nth === 0 ? 10 : 4}`,
    ),
    ...['registered', 'signed_in', 'signed_in', 'signed_in_new_device'].map(
      (kind, nth) => `
      INSERT INTO account_events (id, user_id, kind, detail, device, ip_prefix, created_at)
      SELECT 'evt_${nth}' || printf('%025d', i), ${id}, '${kind}', '{}', 'Chrome on Windows', '192.0.2.0/24', ${within(now, 89, 10 + nth)}
      FROM ${range}`,
    ),
    `INSERT INTO mails (id, user_id, kind, to_address, payload, created_at, attempts, sent_at)
      SELECT 'mail_' || printf('%026d', i), ${id}, 'new_device', ${address}, '{"device":"Chrome on Windows"}', ${started}, 1, ${started} + 900
      FROM ${range}`,
    `INSERT INTO mailed_links (secret_hash, user_id, purpose, email_key, created_at, expires_at)
      SELECT 'link' || i, ${id}, 'verify', ${address}, ${within(now, 7, 20)}, ${within(now, 7, 20)} + ${DAY_MS}
      FROM ${range} WHERE ${dice(21, 10)} = 0`,
    `INSERT INTO device_requests (device_code_hash, user_code, client_name, user_id, decision, created_at, expires_at, redeemed_at)
      SELECT 'device' || i, printf('S%07d', i), 'App for Windows', ${id}, 'approved', ${within(now, 1, 22)}, ${within(now, 1, 22)} + 900000, ${now}
      FROM ${range} WHERE ${dice(23, 50)} = 0`,
    `INSERT INTO support_tickets (id, email, severity, is_feature_request, query, created_at)
      SELECT 'tic_' || i, ${address}, 'low', 0, 'A question about my plan.', ${joined} FROM ${range} WHERE ${dice(24, 20)} = 0`,
    `INSERT INTO job_applications (id, job_id, full_name, email, phone, linkedin_url, github_url, resume_url, current_location,
        working_country, work_authorization, remote_preference, experience, why_join, created_at)
      SELECT 'app_' || i, 'software-engineer-junior', 'Ada', ${address}, '1', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', ${joined}
      FROM ${range} WHERE ${dice(25, 100)} = 0`,
    ...grantStatements(plans),
    insertPurchases(
      `SELECT ${id} AS user_id, 'pur_x' || printf('%025d', i) AS id, ${paidAt} - 5000 AS at, 'expired' AS status
        FROM ${buyers} WHERE ${dice(26, 4)} = 0`,
      MAIN_PLAN,
    ),
    `INSERT INTO order_keys (user_id, key, purchase_id, created_at)
      SELECT user_id, id, id, at FROM ${plans.people}`,
    `INSERT INTO webhook_events (event_id, event, body, received_at, processed_at, outcome)
      SELECT 'evt' || id, 'payment.captured', '{"event":"payment.captured","padding":"${'x'.repeat(700)}"}', at, at + 50, 'settled'
      FROM ${plans.people} WHERE at > ${now - 90 * DAY_MS}`,
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((nth) =>
      insertUses(buyers, {
        userId: id,
        ref: `'use:' || ${id} || ':${nth}'`,
        at: `max(${paidAt}, ${within(now, 60, 30 + nth)})`,
        session: `'session-' || (${nth} / 2)`,
      }),
    ),
    ...[0, 1, 2, 3].map(
      (nth) => `
      INSERT INTO usage_sessions (user_id, session_id, mode, started_at, ended_at, has_succeeded, seconds_saved)
      SELECT ${id}, 'session-${nth}', 'meeting', ${within(now, 60, 40 + nth)}, ${within(now, 60, 40 + nth)} + 60000, i % 2, 60 FROM ${buyers}`,
    ),
  ]
}

/**
 * Paid purchases with all rows that `settle` writes. `people` has user_id, id (of the purchase) and at (when it was paid).
 */
function grantStatements({ people, item }: { people: string; item: Item }): string[] {
  const money = `${item.priceMinor.USD}, 'USD'`
  return [
    insertPurchases(`SELECT *, 'open' AS status FROM ${people}`, item),
    `INSERT INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency, rank, method, created_at, updated_at)
      SELECT 'pay_' || id, id, 'order_' || id, ${money}, 3, 'card', at, at FROM ${people}`,
    `INSERT INTO grants (purchase_id, payment_id, user_id, tokens, payment_mode, granted_at)
      SELECT id, 'pay_' || id, user_id, ${item.tokens}, 'emulator', at FROM ${people}`,
    `UPDATE purchases SET status = 'paid', paid_at = created_at WHERE id IN (SELECT id FROM ${people})`,
    `INSERT INTO ledger (ref, user_id, kind, tokens, purchase_id, payment_mode, created_at)
      SELECT 'grant:' || id, user_id, 'grant', ${item.tokens}, id, 'emulator', at FROM ${people}`,
    `INSERT INTO receipts (purchase_id, number, buyer_name, buyer_email, seller_name, seller_email, line, issued_at)
      SELECT id, (SELECT coalesce(max(number), 0) FROM receipts) + row_number() OVER (), 'Ada', 'ada@example.test',
        'The seller', 'seller@example.test', '${describeSale(item)}', at
      FROM ${people}`,
  ]
}

function insertPurchases(rows: string, item: Item): string {
  return `INSERT INTO purchases (id, user_id, sku, kind, tokens, access_days, amount_minor, currency, payment_mode, channel,
      created_at, updated_at, status, razorpay_order_id)
    SELECT id, user_id, '${item.sku}', '${item.kind}', ${item.tokens}, ${item.accessDays}, ${item.priceMinor.USD}, 'USD', 'emulator',
      'checkout', at, at, status, 'order_' || id FROM (${rows})`
}

interface Uses {
  userId: string
  ref: string
  at: string
  session: string
}

function insertUses(range: string, { userId: user, ref, at, session }: Uses): string {
  return `INSERT INTO ledger (ref, user_id, kind, tokens, usage_session_id, usage_mode, payment_mode, created_at)
    SELECT ${ref}, ${user}, 'use', -1, ${session}, 'meeting', 'emulator', ${at} FROM ${range}`
}
