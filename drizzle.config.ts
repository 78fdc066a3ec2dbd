import { defineConfig } from 'drizzle-kit'

/** `npx drizzle-kit generate` writes the next migration from the schema; the launcher applies them. */
export default defineConfig({
  dialect: 'sqlite',
  schema: './edge-api/db/schema/*.ts',
  out: './edge-api/db/migrations',
})
