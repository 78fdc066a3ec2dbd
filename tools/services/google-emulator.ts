import { join } from 'node:path'
import type { ServiceSpec } from './service.ts'
import { answers } from './wait-until.ts'

/** What the Worker is told to speak to the stand-in for Google's sign-in. */
export function googleVars(port: number) {
  return {
    GOOGLE_CLIENT_ID: 'emulator',
    GOOGLE_CLIENT_SECRET: 'emulator_client_secret_0001',
    GOOGLE_ISSUER: `http://127.0.0.1:${port}`,
  }
}

/** The stand-in for Google's sign-in, as a program of its own. */
export function googleEmulatorSpec(options: {
  root: string
  port: number
  logFile: string
}): ServiceSpec {
  return {
    name: 'The stand-in for Google',
    command: process.execPath,
    args: [join(options.root, 'tools/google-emulator/main.ts')],
    env: {
      ...process.env,
      NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
      GOOGLE_PORT: String(options.port),
    },
    logFile: options.logFile,
    isReady: () => answers(`http://127.0.0.1:${options.port}/__emu/health`, { ok: true }),
    readyTimeoutMs: 60_000,
  }
}
