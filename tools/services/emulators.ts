import { join } from 'node:path'
import type { Secrets } from '../launcher/dev-vars.ts'
import { root } from '../launcher/settings.ts'
import type { ServiceSpec } from './service.ts'
import { answers } from './wait-until.ts'

interface RazorpayEmulatorOptions {
  port: number
  /** The URL that receives its webhooks. */
  webhookUrl: string
  stateFile: string
  keyId: string
  keySecret: string
  webhookSecret: string
  logFile: string
}

/** The emulator's keys among the secrets of a site. Razorpay signs with one webhook secret, the site accepts several. */
export function razorpayKeys(secrets: Secrets) {
  const [webhookSecret = ''] = secrets.RAZORPAY_WEBHOOK_SECRETS.split(',')
  return {
    keyId: secrets.RAZORPAY_KEY_ID,
    keySecret: secrets.RAZORPAY_KEY_SECRET,
    webhookSecret,
  }
}

/** The Razorpay emulator, as a program of its own. */
export function razorpayEmulatorSpec(options: RazorpayEmulatorOptions): ServiceSpec {
  return emulatorSpec('razorpay', {
    ...options,
    name: 'The Razorpay emulator',
    env: {
      RAZORPAY_PORT: String(options.port),
      WEBHOOK_URL: options.webhookUrl,
      STATE_FILE: options.stateFile,
      RAZORPAY_KEY_ID: options.keyId,
      RAZORPAY_KEY_SECRET: options.keySecret,
      RAZORPAY_WEBHOOK_SECRET: options.webhookSecret,
    },
  })
}

/** The emulator of Google's sign-in, as a program of its own. */
export function googleEmulatorSpec(options: { port: number; logFile: string }): ServiceSpec {
  return emulatorSpec('google', {
    ...options,
    name: 'The Google emulator',
    env: { GOOGLE_PORT: String(options.port) },
  })
}

/** The Worker's variables for signing in with the Google emulator. */
export function googleVars(port: number) {
  return {
    GOOGLE_CLIENT_ID: 'emulator',
    GOOGLE_CLIENT_SECRET: 'emulator_client_secret_0001',
    GOOGLE_ISSUER: `http://127.0.0.1:${port}`,
  }
}

function emulatorSpec(
  of: 'razorpay' | 'google',
  {
    port,
    name,
    env,
    logFile,
  }: { port: number; name: string; env: Record<string, string>; logFile: string },
): ServiceSpec {
  return {
    name,
    command: process.execPath,
    args: [join(root, `tools/${of}-emulator/main.ts`)],
    env: {
      ...process.env,
      NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
      // Emulators refuse to run in production. The shell may have set NODE_ENV for other work.
      ENVIRONMENT: 'local',
      NODE_ENV: 'development',
      ...env,
    },
    logFile,
    isReady: () => answers(`http://127.0.0.1:${port}/__emu/health`, { ok: true }),
    readyTimeoutMs: 60_000,
  }
}
