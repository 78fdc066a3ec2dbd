import { LOOPBACK } from '../loopback.ts'

/** Google's own URLs, from its OpenID discovery document. They are fixed, so that no setting can redirect them. */
const GOOGLE = {
  issuers: ['https://accounts.google.com', 'accounts.google.com'],
  authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs',
}
const STAND_IN_CLIENT = 'emulator'
const SECRET_MIN = 16

export interface GoogleEnv {
  /** Unset counts as production. */
  ENVIRONMENT?: string | undefined
  GOOGLE_CLIENT_ID?: string | undefined
  GOOGLE_CLIENT_SECRET?: string | undefined
  /** The emulator's address, for tests and a developer's machine. */
  GOOGLE_ISSUER?: string | undefined
}

export interface GoogleSettings {
  clientId: string
  clientSecret: string
  issuers: string[]
  authorizationUrl: string
  tokenUrl: string
  jwksUrl: string
}

/** The message names the variable at fault, never its value. */
export class GoogleNotConfigured extends Error {
  override readonly name = 'GoogleNotConfigured'
}

/**
 * Decides which server is used as Google; null when signing in with Google is not offered. A real client id is only
 * sent to Google, the emulator's only to a loopback address and never in production. Throws GoogleNotConfigured
 * for everything else.
 */
export function resolveGoogle(env: GoogleEnv): GoogleSettings | null {
  const clientId = env.GOOGLE_CLIENT_ID ?? ''
  const issuer = env.GOOGLE_ISSUER ?? ''
  if (clientId === '' && issuer === '') return null
  const clientSecret = env.GOOGLE_CLIENT_SECRET ?? ''
  if (clientSecret.length < SECRET_MIN) {
    throw new GoogleNotConfigured('GOOGLE_CLIENT_SECRET is missing or too short')
  }
  const endpoints = clientId === STAND_IN_CLIENT ? emulated(env) : official(clientId, issuer)
  return { clientId, clientSecret, ...endpoints }
}

function official(clientId: string, issuer: string) {
  if (!/^[\w-]{1,200}\.apps\.googleusercontent\.com$/.test(clientId)) {
    throw new GoogleNotConfigured('GOOGLE_CLIENT_ID is not one of Google')
  }
  if (issuer !== '') throw new GoogleNotConfigured('GOOGLE_ISSUER may only be set for the emulator')
  return GOOGLE
}

function emulated({ ENVIRONMENT, GOOGLE_ISSUER }: GoogleEnv) {
  if (!['development', 'test', 'local'].includes(ENVIRONMENT ?? 'production')) {
    throw new GoogleNotConfigured('GOOGLE_CLIENT_ID is the emulator, which production never uses')
  }
  const url = URL.parse(GOOGLE_ISSUER ?? '')
  const isLoopback = url?.protocol === 'http:' && LOOPBACK.includes(url.hostname)
  if (!isLoopback || url.username !== '') {
    throw new GoogleNotConfigured('GOOGLE_ISSUER must be a loopback address for the emulator')
  }
  const { origin } = url
  return {
    issuers: [origin],
    authorizationUrl: `${origin}/authorize`,
    tokenUrl: `${origin}/token`,
    jwksUrl: `${origin}/jwks`,
  }
}
