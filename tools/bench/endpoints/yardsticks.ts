import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@libsql/client/http'
import { build } from 'vite'
import { scratchFolder } from '../../../tests/harness/scratch-folder.ts'
import { root } from '../../launcher/settings.ts'

/** Makes the tables that only the yardsticks use. */
export async function makeBareTables(url: string): Promise<void> {
  await createClient({ url }).batch(
    [
      'CREATE TABLE bare_uses (id TEXT PRIMARY KEY, tokens INTEGER NOT NULL)',
      'CREATE TABLE bare_balance (id INTEGER PRIMARY KEY, used INTEGER NOT NULL)',
      'INSERT INTO bare_balance VALUES (1, 0)',
    ],
    'write',
  )
}

/** Builds the yardsticks into a folder like that of our own build, so that workerd runs both in the same way. */
export async function buildYardsticks() {
  const { path, remove } = scratchFolder('yardsticks')
  const dist = join(path, 'dist')
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    ssr: { noExternal: true, target: 'webworker' },
    build: {
      ssr: join(import.meta.dirname, 'yardstick-worker.ts'),
      outDir: join(dist, 'server'),
      emptyOutDir: true,
      minify: true,
      rolldownOptions: { output: { entryFileNames: 'entry.mjs' } },
    },
  })
  cpSync(join(root, 'dist/miniflare.json'), join(dist, 'miniflare.json'))
  symlinkSync(join(root, 'dist/client'), join(dist, 'client'))
  return { dist, remove }
}
