import { randomBytes } from 'node:crypto'
import { systemClock } from './core/clock.ts'
import { loadState, saveState } from './core/store.ts'
import { createEmulator } from './emulator.ts'
import { defaults, refuseProduction } from './safety.ts'
import { serve } from './server.ts'

const { env } = process
const file = env.STATE_FILE

function log(line: string): void {
  console.log(`razorpay emulator: ${line}`)
}

function readPort(): number {
  const port = Number(env.RAZORPAY_PORT ?? defaults.port)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new Error('RAZORPAY_PORT must be a port number')
}

async function start(): Promise<void> {
  refuseProduction(env)
  const port = readPort()
  const origin = `http://localhost:${String(port)}`
  const loaded = file ? loadState(file) : { state: null, warning: null }
  if (loaded.warning !== null) log(loaded.warning)
  const emulator = createEmulator({
    clock: systemClock(),
    seed: randomBytes(8).toString('hex'),
    webhookUrl: env.WEBHOOK_URL ?? defaults.webhookUrl,
    publicOrigin: origin,
    fetch,
    keyId: env.RAZORPAY_KEY_ID ?? defaults.keyId,
    keySecret: env.RAZORPAY_KEY_SECRET ?? defaults.keySecret,
    webhookSecret: env.RAZORPAY_WEBHOOK_SECRET ?? defaults.webhookSecret,
    log,
    ...loaded,
    save: (state) => {
      if (file) saveState(file, state)
    },
  })
  const server = await serve(emulator.fetch, port).catch((cause: unknown) => {
    emulator.close()
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
    throw isTaken
      ? new Error(`port ${String(port)} is taken: set RAZORPAY_PORT to another one`, { cause })
      : cause
  })
  log(
    `${origin} (console: ${origin}/__emu/ui, webhooks to ${env.WEBHOOK_URL ?? defaults.webhookUrl})`,
  )
  const stop = () => {
    emulator.close()
    server.close()
    server.closeAllConnections()
    // The state is saved, and the next start sends the deliveries that are under way again.
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

start().catch((cause: unknown) => {
  console.error(`razorpay emulator: ${cause instanceof Error ? cause.message : String(cause)}`)
  process.exit(1)
})
