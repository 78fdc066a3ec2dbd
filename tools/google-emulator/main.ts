import { run } from '../razorpay-emulator/server.ts'
import { createGoogleEmulator } from './emulator.ts'

await run({
  name: 'google emulator',
  variable: 'GOOGLE_PORT',
  async open(port) {
    const issuer = `http://127.0.0.1:${String(port)}`
    const app = await createGoogleEmulator(issuer)
    return { handle: (request) => Promise.resolve(app.fetch(request)), says: issuer }
  },
})
