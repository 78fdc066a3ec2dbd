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
  secrets: Secrets
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
  const { keyId, keySecret, webhookSecret } = razorpayKeys(options.secrets)
  return emulatorSpec('razorpay', {
    ...options,
    name: 'The Razorpay emulator',
    env: {
      RAZORPAY_PORT: String(options.port),
      WEBHOOK_URL: options.webhookUrl,
      STATE_FILE: options.stateFile,
      RAZORPAY_KEY_ID: keyId,
      RAZORPAY_KEY_SECRET: keySecret,
      RAZORPAY_WEBHOOK_SECRET: webhookSecret,
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

type EmulatorOptions = { port: number } & Pick<ServiceSpec, 'name' | 'env' | 'logFile'>

function emulatorSpec(
  of: 'razorpay' | 'google',
  { port, name, env, logFile }: EmulatorOptions,
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
