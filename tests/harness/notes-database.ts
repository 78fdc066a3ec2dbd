import { sql } from 'drizzle-orm'
import { onTestFinished } from 'vitest'
import { Connections } from '../../edge-api/db/connections.ts'
import { openDatabase } from '../../edge-api/db/database.ts'
import { startProxy } from './database-proxy.ts'
import { startSqld } from './services.ts'

/** The statement that adds a note, once. */
export const add = (content: string) => sql`INSERT INTO notes VALUES (${content})`

/** A separate database with a table of notes, behind a proxy that records whether each call opened a stream. */
export async function startNotes(intercept?: Parameters<typeof startProxy>[1]) {
  const sqld = await startSqld({ isMigrated: false })
  onTestFinished(sqld.stop)
  const { url, passed } = await startProxy(sqld.url, intercept)
  const clock = { now: 0 }
  const connectionsTo = (address: string) =>
    new Connections({ url: address, authToken: '', clock: () => clock.now })
  const direct = openDatabase({ connections: connectionsTo(sqld.url) })
  await direct.batch([direct.run(sql`CREATE TABLE notes (content TEXT PRIMARY KEY)`)])
  const contents = async () => {
    const rows = direct.all<{ content: string }>(sql`SELECT content FROM notes ORDER BY rowid`)
    return (await direct.batch({ rows })).rows.map(({ content }) => content)
  }
  const connections = connectionsTo(url)
  const opened = () => passed.map(({ request }) => request.includes('"baton":null'))
  const db = openDatabase({ connections })
  return { sqld, connections, connectionsTo, direct, db, contents, passed, opened, clock }
}
