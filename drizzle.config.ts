import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { defineConfig } from 'drizzle-kit'

/** The address of the last `npm start`, or of one without other ports. */
const vars = existsSync('.dev.vars') ? parseEnv(readFileSync('.dev.vars', 'utf8')) : {}
const url = vars['DATABASE_URL'] ?? 'http://127.0.0.1:8788'

/**
 * `npx drizzle-kit generate` writes the next migration from the schema; the launcher applies them. `npx drizzle-kit studio`
 * opens the local database.
 */
export default defineConfig({
  dialect: 'turso',
  dbCredentials: { url },
  schema: './edge-api/db/schema/*.ts',
  out: './edge-api/db/migrations',
})
