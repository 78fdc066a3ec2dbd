import type { Unstable_Config } from 'wrangler'
import { ConfigError, readConfig } from '../../edge-api/config.ts'
import {
  GoogleNotConfigured,
  resolveGoogle,
} from '../../edge-api/gateways/google/resolve-google.ts'
import {
  RazorpayNotConfigured,
  resolveRazorpay,
} from '../../edge-api/gateways/razorpay/resolve-razorpay.ts'

export const REQUIRED = [
  'DATABASE_URL',
  'DATABASE_AUTH_TOKEN',
  'JWT_SECRETS',
  'TRIAL_SECRET',
  'RAZORPAY_KEY_ID',
  'RAZORPAY_KEY_SECRET',
  'RAZORPAY_WEBHOOK_SECRETS',
]
const OPTIONAL = [
  'ACCESS_TEAM',
  'ACCESS_AUDIENCE',
  'ADMIN_HOST',
  'ALARM_WEBHOOK_URL',
  'HEARTBEAT_URL',
  'BREACHED_PASSWORDS_URL',
  'GOOGLE_CLIENT_ID',
  'GOOGLE_CLIENT_SECRET',
]

/** The names that a deployment hands to the Worker as secrets. .secrets.example.env and the workflow list them too. */
export const SECRETS = [...REQUIRED, ...OPTIONAL]

/** The part of an environment in wrangler.toml that the Worker receives. */
type Declared = Pick<Unstable_Config, 'vars' | 'ratelimits' | 'send_email' | 'assets'>

export type Secrets = Record<string, string | undefined>

/**
 * The names, never the values, of missing or unusable settings of a deployment. The Worker's own readers decide; a
 * deployment is stricter, because nothing that it needs may be missing or unencrypted.
 *
 * @param declared the environment in wrangler.toml
 * @param secrets the secrets that will be set too
 * @param origin `https://` and the host
 */
export function configFaults(declared: Declared, secrets: Secrets, origin: string): string[] {
  const missing = REQUIRED.filter((name) => !secrets[name])
  const unknown = Object.keys(secrets).filter((name) => !SECRETS.includes(name))
  const texts = { ENVIRONMENT: String(declared.vars['ENVIRONMENT']), ...secrets }
  const checks = [
    () => readConfig({ ...bindings(declared), ...texts, PUBLIC_ORIGIN: origin }),
    () => resolveRazorpay(texts),
    () => resolveGoogle(texts),
    () => requireHttps('DATABASE_URL', secrets),
    () => requireHttps('BREACHED_PASSWORDS_URL', secrets),
    () => requireHttps('ALARM_WEBHOOK_URL', secrets),
    () => requireHttps('HEARTBEAT_URL', secrets),
    () => requireHttps('ACCESS_TEAM', secrets),
  ]
  const unusable = new Set(checks.flatMap(faultsOf))
  return [
    ...missing.map((name) => `${name} is missing`),
    ...unknown.map((name) => `${name} is not a secret of the Worker`),
    ...(declared.send_email.some(({ name }) => name === 'EMAIL') ? [] : ['EMAIL is missing']),
    ...[...unusable].filter((fault) => !missing.includes(fault.split(' ')[0] ?? '')),
  ]
}

/**
 * The faults of an environment beside another: two that share a database share its customers, and staging's test
 * payments would be among production's.
 */
export function sharedFaults(
  secrets: Secrets,
  other: { name: string; secrets: Secrets },
): string[] {
  const own = databaseOf(secrets)
  if (own === null || own !== databaseOf(other.secrets)) return []
  return [`DATABASE_URL names the database of ${other.name}: each environment needs its own`]
}

/** Host and path: a database answers at `libsql:` and at `https:`. */
function databaseOf({ DATABASE_URL = '' }: Secrets): string | null {
  const url = URL.parse(DATABASE_URL.replace(/^libsql:/, 'https:'))
  return url === null ? null : `${url.host}${url.pathname.replace(/\/$/, '')}`
}

/** Stand-ins for Cloudflare's bindings that wrangler.toml names. */
export function bindings({
  ratelimits,
  assets,
}: Pick<Declared, 'ratelimits' | 'assets'>): Record<string, unknown> {
  const limits = ratelimits.map(({ name }) => [name, { limit: null }])
  return {
    ...Object.fromEntries(limits),
    ...(assets?.binding && { [assets.binding]: { fetch: null } }),
  }
}

function requireHttps(name: string, secrets: Secrets): void {
  if (/^(?!https:|libsql:)/.test(secrets[name] || 'https:')) {
    throw new ConfigError(`missing or unusable: ${name}`)
  }
}

function faultsOf(check: () => unknown): string[] {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof RazorpayNotConfigured || error instanceof GoogleNotConfigured) {
      return [error.message]
    }
    if (!(error instanceof ConfigError)) throw error
    const [, names = ''] = error.message.split(': ')
    return names.split(', ').map((name) => `${name} is unusable`)
  }
}
