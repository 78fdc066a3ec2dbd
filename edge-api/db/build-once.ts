import { fillPlaceholders, type Query } from 'drizzle-orm'
import type { RunnableQuery } from 'drizzle-orm/runnable-query'
import type { PreparedQuery } from 'drizzle-orm/session'

/** A statement of drizzle's, built or of written SQL, with `sql.placeholder(name)` where its values will be. */
type Buildable<Result> = RunnableQuery<Result, 'sqlite'> &
  ({ prepare(): PreparedQuery } | { _prepare(): PreparedQuery })

type Values = Record<string, unknown>

/**
 * A statement that an isolate builds at its first use; every use gives its values. Building a large statement takes
 * Drizzle longer than everything else in the call that sends it.
 */
export function buildOnce<Db, Result>(
  build: (db: Db) => Buildable<Result>,
): (ctx: { db: Db }, values: Values) => Bound<Result> {
  let built: Built | null = null
  return ({ db }, values) => {
    if (built === null) {
      const query = build(db)
      const prepared = 'prepare' in query ? query.prepare() : query._prepare()
      built = { prepared, query: prepared.getQuery() }
    }
    return new Bound(built, values)
  }
}

interface Built {
  prepared: PreparedQuery
  query: Query
}

/** A built statement with the values of one use, for `db.batch`. */
class Bound<Result> implements RunnableQuery<Result, 'sqlite'> {
  declare readonly _: { readonly dialect: 'sqlite'; readonly result: Result }
  private readonly built: Built
  private readonly values: Values

  /** `values` by the names of the placeholders. */
  constructor(built: Built, values: Values) {
    this.built = built
    this.values = values
  }

  /** Drizzle's batch calls these for the text, its parameters, and how to read the rows. */
  _prepare(): PreparedQuery {
    const { prepared, query } = this.built
    return {
      getQuery: () => ({ ...query, params: fillPlaceholders(query.params, this.values) }),
      mapResult: (response, isFromBatch) => prepared.mapResult(response, isFromBatch),
    }
  }
}
