import { sql } from 'drizzle-orm'
import { onTestFinished } from 'vitest'
import type { Database } from '../../edge-api/db/database.ts'
import { startRecorder } from './recorder.ts'
import { createFixture, databaseUrl } from './fixture/fixture.ts'

/** A context at this instant that records its statements. `scans` finds the ones that read a whole table. */
export async function watchReads({ now }: { now: number }) {
  const recorder = await startRecorder(databaseUrl())
  onTestFinished(recorder.stop)
  const ctx = createFixture({ databaseUrl: recorder.url, now }).ctx()
  const reads = () => recorder.statements().filter((text) => /^\s*select/i.test(text))
  return { ctx, scans: () => scansOf(ctx.db, reads()), rowsRead: recorder.rowsRead }
}

/**
 * The statements that read a whole table or build an index of one, with those steps of their plan. The subqueries of a
 * statement do not count as tables.
 */
export async function scansOf(db: Database, statements: readonly string[]) {
  const { plans } = await db.batch({
    plans: statements.map((text) =>
      db.all<{ detail: string }>(sql.raw(`EXPLAIN QUERY PLAN ${text}`)),
    ),
  })
  return statements.flatMap((text, place) => {
    const own = new Set(
      [...text.matchAll(/\b(\w+) \([\w, ]+\) AS \(|\) (\w+)\s+JOIN\b/g)].map(
        ([, named, subquery]) => `SCAN ${named ?? subquery}`,
      ),
    )
    const details = (plans[place] ?? [])
      .map(({ detail }) => detail)
      .filter((step) => readsWhole(step) && !own.has(step))
    return details.length === 0 ? [] : [{ text, details }]
  })
}

/**
 * Whether a step of a plan reads a whole table, or builds an index of one. JSON lists and subqueries do not count as
 * tables, nor do the partial indexes `…_open`, which have only the rows that wait for somebody.
 */
function readsWhole(step: string): boolean {
  if (step.includes('AUTOMATIC')) return true
  const isSmall = /VIRTUAL TABLE|CONSTANT ROW|^SCAN \(subquery|USING INDEX \w+_open$/
  return /^SCAN /.test(step) && !isSmall.test(step)
}
