import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseEnv } from 'node:util'
import { LaunchError } from '../services/launch-error.ts'

/** The names of .dev.vars and how each is first made. The Razorpay ones are the emulator's and open nothing else. */
const makers = {
  JWT_SECRETS: () => `k1:${randomBytes(48).toString('base64url')}`,
  RAZORPAY_KEY_ID: () => 'rzp_test_EMUkey00000001',
  RAZORPAY_KEY_SECRET: () => 'emu_key_secret_0001',
  RAZORPAY_WEBHOOK_SECRETS: () => 'emu_webhook_secret_0001',
}

export type SecretName = keyof typeof makers
export type Secrets = Record<SecretName, string>

/**
 * Reads the secrets file; what is missing is made once and added, and `say` tells so where the file had been there.
 * The file is readable by its owner alone. Throws a LaunchError when it cannot be read or written.
 */
export function readSecrets(file: string, say: (line: string) => void = () => undefined): Secrets {
  try {
    return readOrMake(file, say)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new LaunchError(`The secrets file ${file} cannot be used: ${error.message}`)
  }
}

function readOrMake(file: string, say: (line: string) => void): Secrets {
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : null
  const values = parseEnv(kept ?? '')
  const secret = (name: SecretName) => values[name] || makers[name]()
  const secrets = {
    JWT_SECRETS: secret('JWT_SECRETS'),
    RAZORPAY_KEY_ID: secret('RAZORPAY_KEY_ID'),
    RAZORPAY_KEY_SECRET: secret('RAZORPAY_KEY_SECRET'),
    RAZORPAY_WEBHOOK_SECRETS: secret('RAZORPAY_WEBHOOK_SECRETS'),
  }
  const missing = Object.entries(secrets).filter(([name]) => !values[name])
  if (missing.length > 0) writeSecrets(file, kept ?? '', missing)
  if (missing.length > 0 && kept !== null) {
    say(`${basename(file)} had no ${missing.map(([name]) => name).join(', ')}: made anew.`)
  }
  return secrets
}

function writeSecrets(file: string, kept: string, added: [string, string][]): void {
  const head = kept || '# Secrets of this checkout, made by the first start. Never committed.\n'
  const lines = added.map(([name, value]) => `${name}="${value}"\n`)
  writeFileSync(file, `${head.trimEnd()}\n${lines.join('')}`, { mode: 0o600 })
  chmodSync(file, 0o600)
}
