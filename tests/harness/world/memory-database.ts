import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { inject, onTestFinished } from 'vitest'
import type { Client, InStatement, ResultSet, Row } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql/web'
import { batchByName } from '../../../edge-api/db/batch-by-name.ts'
import type { Database } from '../../../edge-api/db/database.ts'
import { ConstraintViolation, DatabaseUnavailable } from '../../../edge-api/db/database-error.ts'
import { root } from '../../../tools/launcher/settings.ts'

const MIGRATIONS = join(root, 'edge-api/db/migrations')

/** The program that uses the database ends when `left` batches were carried out. */
export interface Fuse {
  left: number
}

/**
 * The tables and guards in memory, in Node's own SQLite: for tests that need thousands of databases. All others use the
 * libSQL server.
 */
export interface MemoryDatabase {
  /** The database as a verb gets it. With a fuse, it answers nothing more once that is burnt. */
  open: (fuse?: Fuse) => Database
  read: (query: string) => Record<string, unknown>[]
  /** Empties the tables, which is quicker than to make them anew. */
  clear: () => void
}

function migrations(guards?: string): string[] {
  const journal = readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')
  const { entries }: { entries: { tag: string }[] } = JSON.parse(journal)
  return entries.map(({ tag }) =>
    tag.endsWith('guards') && guards !== undefined
      ? guards
      : readFileSync(join(MIGRATIONS, `${tag}.sql`), 'utf8'),
  )
}

const named = new Map<string, MemoryDatabase>()
const free: MemoryDatabase[] = []

/** The database of an address that begins with `memory:`, made when it is first asked for. */
export function databaseAt(address: string): MemoryDatabase {
  const database = named.get(address) ?? memoryDatabase()
  named.set(address, database)
  return database
}

/** An empty database for the test that runs, which is used again after it: to make one takes longer than most tests. */
export function borrowDatabase(): MemoryDatabase {
  const database = free.pop() ?? memoryDatabase()
  onTestFinished(() => {
    database.clear()
    free.push(database)
  })
  return database
}

/** Empties all databases, or forgets them when their guards are no longer the right ones. */
export function renewDatabases({ haveNewGuards }: { haveNewGuards: boolean }): void {
  if (haveNewGuards) {
    named.clear()
    free.length = 0
  }
  for (const database of named.values()) database.clear()
}

/** An empty database with the tables of the migrations, and with their guards unless others are injected. */
export function memoryDatabase(): MemoryDatabase {
  const sqlite = new DatabaseSync(':memory:')
  for (const text of migrations(inject('guards')))
    sqlite.exec(text.replaceAll('--> statement-breakpoint', ''))
  // All that follows is one transaction, which `clear` takes back.
  sqlite.exec('SAVEPOINT empty')
  const prepared = new Map<string, { statement: StatementSync; columns: string[] }>()
  const queries = new Map<string, StatementSync>()

  function run(statement: InStatement | [string, unknown?]): ResultSet {
    const { sql, args } = Array.isArray(statement)
      ? { sql: statement[0], args: statement[1] }
      : typeof statement === 'string'
        ? { sql: statement, args: [] }
        : statement
    let found = prepared.get(sql)
    if (found === undefined) {
      const made = sqlite.prepare(sql)
      made.setReturnArrays(true)
      found = { statement: made, columns: made.columns().map(({ name }) => name) }
      prepared.set(sql, found)
    }
    const { statement: ready, columns } = found
    const values = Array.isArray(args) ? args.map(toValue) : []
    const rows: unknown[] = columns.length > 0 ? ready.all(...values) : []
    const rowsAffected = columns.length > 0 ? rows.length : Number(ready.run(...values).changes)
    return resultOf(columns, rows, rowsAffected)
  }

  function batch(list: (InStatement | [string, unknown?])[]): ResultSet[] {
    sqlite.exec('SAVEPOINT batch')
    try {
      const results = list.map(run)
      sqlite.exec('RELEASE batch')
      return results
    } catch (error) {
      sqlite.exec('ROLLBACK TO batch; RELEASE batch')
      throw translate(error)
    }
  }

  return {
    open: (fuse = { left: Infinity }) => {
      let trips = 0
      const send: Client['batch'] = (list) => {
        if (fuse.left <= 0) return Promise.reject(new DatabaseUnavailable('the program has ended'))
        fuse.left -= 1
        trips += 1
        // As over a network, the answer comes later, so that other calls come between.
        return Promise.resolve().then(() => batch(list))
      }
      const db = drizzle({ client: batchOnly(send) })
      return Object.assign(db, {
        trips: () => trips,
        mayLag: () => undefined,
        lastWrite: () => 0,
        batch: batchByName(db.batch.bind(db)),
      })
    },
    read: (query) => {
      const ready = queries.get(query) ?? sqlite.prepare(query)
      queries.set(query, ready)
      return ready.all()
    },
    clear: () => {
      sqlite.exec('ROLLBACK TO empty')
    },
  }
}

function toValue(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  if (typeof value === 'bigint' || value instanceof Uint8Array) return value
  throw new TypeError(`SQLite takes no ${typeof value}`)
}

function resultOf(columns: string[], found: unknown[], rowsAffected: number): ResultSet {
  const rows = found.map((values) => rowOf(columns, Array.isArray(values) ? values : []))
  return {
    columns,
    columnTypes: columns.map(() => ''),
    rows,
    rowsAffected,
    lastInsertRowid: undefined,
    toJSON: () => rows,
  }
}

/** A row can be read by name and by place, and only its names are listed. */
function rowOf(columns: string[], values: unknown[]): Row {
  const row: Row = Object.create(null)
  Object.defineProperty(row, 'length', { value: values.length })
  for (const [index, name] of columns.entries()) {
    Object.defineProperty(row, index, { value: values[index] })
    if (!Object.hasOwn(row, name)) {
      Object.defineProperty(row, name, { value: values[index], enumerable: true })
    }
  }
  return row
}

const CONSTRAINT = 19

function translate(error: unknown): unknown {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
  return error instanceof Error && (code & 0xff) === CONSTRAINT
    ? new ConstraintViolation(error.message, { cause: error })
    : error
}

function batchOnly(batch: Client['batch']): Client {
  const refuse = () => Promise.reject(new Error('Statements are sent by batch'))
  return {
    batch,
    execute: refuse,
    executeMultiple: refuse,
    migrate: refuse,
    transaction: refuse,
    sync: refuse,
    reconnect: () => undefined,
    close: () => undefined,
    closed: false,
    protocol: 'file',
  }
}
