import { isAbsolute, join } from 'node:path'
import { LaunchError } from './bootstrap/launch-error.mjs'

/** Ports and folders of one running copy. Two copies with different ports and DATA_DIR run side by side. */
export interface Settings {
  dataDir: string
  port: number
  dbPort: number
  razorpayPort: number
}

export const root = join(import.meta.dirname, '../..')

/** Reads PORT, DB_PORT, RAZORPAY_PORT and DATA_DIR. Throws a LaunchError on a value that cannot be a port. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const dataDir = env.DATA_DIR || '.data'
  const settings = {
    dataDir: isAbsolute(dataDir) ? dataDir : join(root, dataDir),
    port: readPort(env, 'PORT', 8787),
    dbPort: readPort(env, 'DB_PORT', 8788),
    razorpayPort: readPort(env, 'RAZORPAY_PORT', 8790),
  }
  if (new Set([settings.port, settings.dbPort, settings.razorpayPort]).size < 3) {
    throw new LaunchError('PORT, DB_PORT and RAZORPAY_PORT must be three different ports.')
  }
  return settings
}

/** Reads one port. Throws a LaunchError on a value that cannot be one. */
export function readPort(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name]
  if (!text) return fallback
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new LaunchError(`${name}=${text} is not a port: give a whole number from 1 to 65535.`)
  }
  return port
}

/** Whether a key is one of Razorpay's own test mode, and not the emulator's. */
export function isRazorpayTestKey(keyId: string): boolean {
  return /^rzp_test_(?!EMU)/.test(keyId)
}

/**
 * The Worker's variables that depend on ports, computed at each start. With a test key of Razorpay's own the addresses of
 * the emulator stay empty, and the Worker talks to Razorpay.
 */
export function workerVars(
  { port, dbPort, razorpayPort }: Omit<Settings, 'dataDir'>,
  keyId: string,
) {
  const emulator = isRazorpayTestKey(keyId) ? null : `http://localhost:${razorpayPort}`
  return {
    ENVIRONMENT: 'local',
    PUBLIC_ORIGIN: `http://localhost:${port}`,
    DATABASE_URL: `http://127.0.0.1:${dbPort}`,
    DATABASE_AUTH_TOKEN: '',
    RAZORPAY_BASE_URL: emulator ?? '',
    RAZORPAY_CHECKOUT_URL: emulator === null ? '' : `${emulator}/checkout/v1/checkout.js`,
  }
}
