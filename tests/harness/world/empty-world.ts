import { createClient } from '@libsql/client/http'
import { sql } from 'drizzle-orm'
import { vi } from 'vitest'
import type { Context } from '../../../edge-api/domain/context.ts'
import type { PaymentGateway, PaymentMode } from '../../../edge-api/domain/ports/payments.ts'
import { unavailableGateway } from '../../../edge-api/gateways/razorpay/razorpay-gateway.ts'
import { createWorld, databaseUrl, type World, type WorldOptions } from './world.ts'

export type Rows = Record<string, unknown>[]

export interface EmptyWorld extends World {
  read: (query: string) => Promise<Rows>
  /** A context as the site would have with other keys of Razorpay, on the same tables. */
  ctxOf: (paymentMode: PaymentMode) => Context
  /** A context whose Razorpay answers these calls, and no others. */
  ctxWith: (gateway: Partial<PaymentGateway>) => Context
}

/**
 * A world whose tables are empty: for tests of what works on all rows, and for those that count rows. Only one can be
 * used at a time. Payments are configured, and Razorpay answers nothing.
 */
export async function emptyWorld(options: WorldOptions = {}): Promise<EmptyWorld> {
  await emptyDatabase(options.databaseUrl ?? databaseUrl())
  const payments = { ...unavailableGateway, keyId: 'rzp_test_EMUkey00000001' }
  const world = createWorld({ payments, ...options })
  return {
    ...world,
    read: (query) => readRows(world.ctx(), query),
    ctxOf: (paymentMode) => ({ ...world.ctx(), paymentMode }),
    ctxWith: (gateway) => {
      const ctx = world.ctx()
      return { ...ctx, payments: { ...ctx.payments, ...gateway } }
    },
  }
}

/** The rows of a query, by the names of their columns. */
export async function readRows(ctx: Pick<Context, 'db'>, query: string): Promise<Rows> {
  const [rows = []] = await readAllRows(ctx, [query])
  return rows
}

/** The rows of each query, all of the same instant. */
export async function readAllRows(
  { db }: Pick<Context, 'db'>,
  queries: readonly string[],
): Promise<Rows[]> {
  const { rows } = await db.batch({
    rows: queries.map((query) => db.all<Record<string, unknown>>(sql.raw(query))),
  })
  return rows
}

let statements: Promise<string> | undefined

/** Deletes all rows of a database, which takes a tenth of the time that a new database takes. */
async function emptyDatabase(url: string): Promise<void> {
  statements ??= statementsToEmpty()
  const script = await statements
  const client = createClient({ url })
  // What an earlier test left running may still hold the database.
  await vi.waitFor(() => client.executeMultiple(script), { timeout: 60_000 })
  client.close()
}

/** The guards that keep rows from being deleted are taken away meanwhile. */
async function statementsToEmpty(): Promise<string> {
  const schema = await readRows(
    createWorld().ctx(),
    `SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'libsql%'`,
  )
  const tables = schema.filter(({ type }) => type === 'table')
  const guards = schema.filter(
    ({ type, sql: text }) => type === 'trigger' && /\b(BEFORE|AFTER) DELETE\b/i.test(String(text)),
  )
  return [
    'PRAGMA foreign_keys = OFF',
    'BEGIN IMMEDIATE',
    ...guards.map(({ name }) => `DROP TRIGGER ${String(name)}`),
    ...tables.map(({ name }) => `DELETE FROM ${String(name)}`),
    ...guards.map(({ sql: text }) => String(text)),
    'COMMIT',
  ].join(';\n')
}
