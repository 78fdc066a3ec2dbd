import { serve } from '../razorpay-emulator/server.ts'
import { createGoogleEmulator } from './emulator.ts'

const { env } = process

async function start(): Promise<void> {
  if (env.ENVIRONMENT === 'production' || env.NODE_ENV === 'production') {
    throw new Error('it does not run in production')
  }
  const port = Number(env.GOOGLE_PORT)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error('GOOGLE_PORT must be a port number')
  }
  const issuer = `http://127.0.0.1:${String(port)}`
  const app = await createGoogleEmulator(issuer)
  const server = await serve((request) => Promise.resolve(app.fetch(request)), port)
  console.log(`google emulator: ${issuer}`)
  const stop = () => {
    server.close()
    server.closeAllConnections()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

start().catch((cause: unknown) => {
  console.error(`google emulator: ${cause instanceof Error ? cause.message : String(cause)}`)
  process.exit(1)
})
