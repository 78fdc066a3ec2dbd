import { join } from 'node:path'
import { LaunchError } from '../services/launch-error.ts'
import { applyMigrations } from '../services/migrate.ts'
import { command } from './command.ts'
import { say } from './say.ts'
import { root } from './settings.ts'

// For a database elsewhere: `npm start` migrates its own.
await command(async () => {
  const { DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken = '' } = process.env
  if (!url)
    throw new LaunchError('Set DATABASE_URL (and DATABASE_AUTH_TOKEN) to the database to migrate.')
  const folder = join(root, 'edge-api/db/migrations')
  const applied = await applyMigrations({ url, authToken, folder })
  say(applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is up to date.')
})
