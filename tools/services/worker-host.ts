import { globSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { readDescription } from '../build/worker-description.ts'
import { startCron } from './cron.ts'
import type { HostedWorker } from './worker.ts'

// A program of its own: serves the built Worker in workerd.
// Miniflare starts workerd again when it dies, and ends it with us.
const { folder, port, vars, hasClock }: HostedWorker = JSON.parse(process.env.WORKER_HOST ?? '{}')

// The message of workerd when a browser closes its connection early.
const visitorLeft = /^kj::getCaughtExceptionAsKj\(\).*disconnected/

const { name, main, vars: ownVars, workerOptions } = readDescription(folder)
const server = join(folder, 'server')
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    ...workerOptions,
    modulesRules: undefined,
    name,
    bindings: { ...ownVars, ...vars },
    modules: modulesOfBundle(),
    modulesRoot: server,
    host: '127.0.0.1',
    port,
    cf: false,
    log: new Log(LogLevel.WARN),
    unsafeTriggerHandlers: true,
    handleStructuredLogs: ({ level, message }) => {
      log(level, message)
    },
  }),
)
await miniflare.ready
if (hasClock) {
  startCron(`http://127.0.0.1:${port}`, (line) => {
    log('error', line)
  })
}

/** The modules of the bundle; workerd starts with the first. */
function modulesOfBundle() {
  const paths = globSync('**/*.{mjs,js}', { cwd: server }).map((path) => join(server, path))
  const ordered = [main, ...paths.filter((path) => path !== main).sort()]
  return ordered.map((path) => ({ type: 'ESModule' as const, path }))
}

/** Warnings go to stderr, which the launcher shows; everything else goes to the log file. */
function log(level: string, message: string): void {
  const isNews = (level === 'error' || level === 'warn') && !visitorLeft.test(message)
  const line = `${new Date().toISOString()} ${level} ${message}\n`
  if (isNews) process.stderr.write(line)
  else logQuietly(line)
}

/** The log is a file. A full disk must not end the site. */
function logQuietly(line: string): void {
  try {
    writeSync(process.stdout.fd, line)
  } catch {
    // The line is lost.
  }
}
