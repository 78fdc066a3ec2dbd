import { randomBytes } from 'node:crypto'
import { systemClock } from './core/clock.ts'
import { loadState, saveState } from './core/store.ts'
import { createEmulator } from './emulator.ts'
import { defaults } from './safety.ts'
import { run } from './server.ts'

const name = 'razorpay emulator'
const { env } = process
const file = env.STATE_FILE

await run({
  name,
  variable: 'RAZORPAY_PORT',
  usualPort: defaults.port,
  async open(port) {
    const origin = `http://localhost:${String(port)}`
    const webhookUrl = env.WEBHOOK_URL ?? defaults.webhookUrl
    const log = (line: string) => {
      console.log(`${name}: ${line}`)
    }
    const loaded = file ? loadState(file) : { state: null, warning: null }
    if (loaded.warning !== null) log(loaded.warning)
    const emulator = createEmulator({
      clock: systemClock(),
      seed: randomBytes(8).toString('hex'),
      webhookUrl,
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
    return {
      handle: emulator.fetch,
      // The state is saved, and the next start sends the deliveries that are under way again.
      close: emulator.close,
      says: `${origin} (console: ${origin}/__emu/ui, webhooks to ${webhookUrl})`,
    }
  },
})
