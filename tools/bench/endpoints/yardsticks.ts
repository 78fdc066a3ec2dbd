import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@libsql/client/http'
import { build, type Plugin } from 'vite'
import { scratchFolder } from '../../../tests/harness/scratch-folder.ts'
import { root } from '../../launcher/settings.ts'
import { installPinned } from '../pinned.ts'

/** As `edge-api/db` has its own: with an index for each way that rows are found. */
const TABLES_OF_BETTER_AUTH = [
  `CREATE TABLE user (id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE,
    emailVerified INTEGER NOT NULL, image TEXT, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL)`,
  `CREATE TABLE session (id TEXT PRIMARY KEY, expiresAt INTEGER NOT NULL, token TEXT NOT NULL UNIQUE,
    createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, ipAddress TEXT, userAgent TEXT,
    userId TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE)`,
  'CREATE INDEX session_user ON session (userId)',
  `CREATE TABLE account (id TEXT PRIMARY KEY, accountId TEXT NOT NULL, providerId TEXT NOT NULL,
    userId TEXT NOT NULL REFERENCES user (id) ON DELETE CASCADE, accessToken TEXT, refreshToken TEXT, idToken TEXT,
    accessTokenExpiresAt INTEGER, refreshTokenExpiresAt INTEGER, scope TEXT, password TEXT,
    createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL)`,
  'CREATE INDEX account_user ON account (userId)',
  `CREATE TABLE verification (id TEXT PRIMARY KEY, identifier TEXT NOT NULL, value TEXT NOT NULL,
    expiresAt INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL)`,
  'CREATE INDEX verification_identifier ON verification (identifier)',
]

/** Makes the tables that only the yardsticks use. */
export async function makeBareTables(url: string): Promise<void> {
  await createClient({ url }).batch(
    [
      'CREATE TABLE bare_uses (id TEXT PRIMARY KEY, tokens INTEGER NOT NULL)',
      'CREATE TABLE bare_balance (id INTEGER PRIMARY KEY, used INTEGER NOT NULL)',
      'INSERT INTO bare_balance VALUES (1, 0)',
      ...TABLES_OF_BETTER_AUTH,
    ],
    'write',
  )
}

/** Builds the yardsticks into a folder like that of our own build, so that workerd runs both in the same way. */
export async function buildYardsticks() {
  const { path, remove } = scratchFolder('yardsticks')
  const dist = join(path, 'dist')
  const betterAuth = await installPinned('better-auth')
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [resolveFrom(betterAuth)],
    ssr: {
      noExternal: true,
      external: ['node:crypto'],
      target: 'webworker',
      // Or better-auth would take the stand-in that it has for browsers, which mixes up calls that run side by side.
      resolve: { conditions: ['workerd', 'worker', 'module'] },
    },
    build: {
      ssr: join(import.meta.dirname, 'yardstick-worker.ts'),
      outDir: join(dist, 'server'),
      emptyOutDir: true,
      minify: true,
      rolldownOptions: {
        output: {
          entryFileNames: 'entry.mjs',
          chunkFileNames: '[name].mjs',
          // For a Worker, Vite would put all into one file, which the start would read.
          codeSplitting: true,
        },
      },
    },
  })
  cpSync(join(root, 'dist/miniflare.json'), join(dist, 'miniflare.json'))
  symlinkSync(join(root, 'dist/client'), join(dist, 'client'))
  return { dist, remove }
}

/** Finds better-auth in the folder that it is installed in. */
function resolveFrom(folder: string): Plugin {
  return {
    name: 'better-auth',
    enforce: 'pre',
    resolveId(source) {
      if (!source.startsWith('better-auth/')) return null
      return this.resolve(source, join(folder, 'package.json'), { skipSelf: true })
    },
  }
}
