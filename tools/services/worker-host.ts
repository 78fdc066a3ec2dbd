import { Miniflare } from 'miniflare'
import { everyMinute, fireCron } from './cron.ts'
import { readBuiltWorker } from './worker-options.ts'

// A program of its own: serves the built Worker in workerd and fires its cron lines, as production does.
// Miniflare starts workerd again when it dies, and ends it with us.
const { folder, port, vars }: { folder: string; port: number; vars: Record<string, string> } =
  JSON.parse(process.env.WORKER_HOST ?? '{}')

// What workerd says when a browser closes its connection early.
const visitorLeft = /^kj::getCaughtExceptionAsKj\(\).*disconnected/

const { miniflare: options, crons } = readBuiltWorker({ folder, port, vars, onLog: log })
const miniflare = new Miniflare(options)
await miniflare.ready

everyMinute(crons, (cron, at) => void runCron(cron, at))

async function runCron(cron: string, at: Date): Promise<void> {
  try {
    await fireCron(`http://127.0.0.1:${port}`, cron, at)
  } catch (error) {
    log('error', `cron ${cron}: ${String(error)}`)
  }
}

/** Warnings go to stderr, which the launcher shows; the rest is for the log file. */
function log(level: string, message: string): void {
  const isNews = (level === 'error' || level === 'warn') && !visitorLeft.test(message)
  const stream = isNews ? process.stderr : process.stdout
  stream.write(`${new Date().toISOString()} ${level} ${message}\n`)
}
