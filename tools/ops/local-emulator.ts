import { join } from 'node:path'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import type { Secrets } from '../launcher/dev-vars.ts'
import { isRazorpayTestKey, type Settings } from '../launcher/settings.ts'
import { razorpayEmulatorSpec } from '../services/emulators.ts'
import { freePort } from '../services/ports.ts'
import { endService, startService } from '../services/service.ts'

/**
 * Runs work beside the Razorpay emulator of a data folder: the running one, or one that is started for it on a free
 * port and stopped afterwards. Throws a LaunchError when the folder belongs to Razorpay's own test mode.
 */
export async function withLocalEmulator(
  { settings, secrets, isRunning }: { settings: Settings; secrets: Secrets; isRunning: boolean },
  work: (url: string) => Promise<void>,
): Promise<void> {
  if (isRazorpayTestKey(secrets.RAZORPAY_KEY_ID)) {
    throw new LaunchError(
      'This needs the Razorpay emulator: take RAZORPAY_KEY_ID out of .dev.vars.',
    )
  }
  if (isRunning) return work(`http://localhost:${settings.razorpayPort}`)
  const port = await freePort()
  const server = await startService(
    razorpayEmulatorSpec({
      secrets,
      port,
      webhookUrl: `http://127.0.0.1:${settings.port}/api/webhooks/razorpay`,
      stateFile: join(settings.dataDir, 'razorpay.json'),
      logFile: join(settings.dataDir, 'log/razorpay.log'),
    }),
  )
  try {
    await work(`http://localhost:${port}`)
  } finally {
    await endService(server)
  }
}

/** A call of an emulator's control API. Throws a LaunchError when it does not answer or refuses. */
export async function controlEmulator(
  url: string,
  path: string,
  body: unknown,
  send: typeof fetch = fetch,
): Promise<unknown> {
  const answer = await send(`${url}/__emu${path}`, {
    method: 'POST',
    headers: { 'x-emu-control': 'local', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null)
  if (answer === null) {
    throw new LaunchError(`No emulator answers at ${url}: set RAZORPAY_PORT as for npm start.`)
  }
  if (!answer.ok) throw new LaunchError(`The emulator refused ${path}: ${await answer.text()}`)
  return answer.json()
}
