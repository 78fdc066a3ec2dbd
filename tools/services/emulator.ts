import { join } from 'node:path'
import type { ServiceSpec } from './service.ts'
import { answers } from './wait-until.ts'

export interface EmulatorOptions {
  root: string
  port: number
  /** Where its webhooks go. */
  webhookUrl: string
  /** Kept in memory alone when absent. */
  stateFile?: string
  keyId: string
  keySecret: string
  webhookSecret: string
  logFile: string
}

/** The Razorpay stand-in, as a program of its own. */
export function emulatorSpec(options: EmulatorOptions): ServiceSpec {
  return {
    name: 'The Razorpay emulator',
    command: process.execPath,
    args: [join(options.root, 'tools/razorpay-emulator/main.ts')],
    env: {
      ...process.env,
      NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
      // It refuses to run in production, which this is not, whatever the shell has set for other work.
      ENVIRONMENT: 'local',
      NODE_ENV: 'development',
      RAZORPAY_PORT: String(options.port),
      WEBHOOK_URL: options.webhookUrl,
      STATE_FILE: options.stateFile ?? '',
      RAZORPAY_KEY_ID: options.keyId,
      RAZORPAY_KEY_SECRET: options.keySecret,
      RAZORPAY_WEBHOOK_SECRET: options.webhookSecret,
    },
    logFile: options.logFile,
    isReady: () => answers(`http://127.0.0.1:${options.port}/__emu/health`, { ok: true }),
    readyTimeoutMs: 60_000,
  }
}
