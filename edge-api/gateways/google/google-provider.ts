import { parseJson } from '../../../src/contract/parse-json.ts'
import { z } from '../../../src/contract/zod.ts'
import {
  type AuthorizationAnswer,
  type IdentityProvider,
  IdentityRejected,
  IdentityUnavailable,
} from '../../domain/ports/identity.ts'
import type { Log } from '../../domain/ports/log.ts'
import {
  type GoogleEnv,
  GoogleNotConfigured,
  type GoogleSettings,
  resolveGoogle,
} from './resolve-google.ts'

/** Google, or null when it is not offered. When it is misconfigured, an alert names the variable. */
export function identityProvider(env: GoogleEnv, log: Log): IdentityProvider | null {
  try {
    const settings = resolveGoogle(env)
    return settings === null ? null : googleProvider(settings)
  } catch (error) {
    if (!(error instanceof GoogleNotConfigured)) throw error
    log.alert('sign-in with Google is not configured', { reason: error.message })
    return null
  }
}

/** Google behind the domain's port. */
function googleProvider(settings: GoogleSettings): IdentityProvider {
  return {
    authorizationUrl: ({ state, nonce, codeChallenge, redirectUri }) => {
      const url = new URL(settings.authorizationUrl)
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: settings.clientId,
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
        // Users with several Google accounts choose one each time.
        prompt: 'select_account',
      }).toString()
      return url.href
    },
    identify: async (answer) => {
      const idToken = await exchangeCode(settings, answer)
      const { readIdToken } = await import('./id-token.ts')
      return readIdToken(settings, { ...answer, idToken })
    },
  }
}

/** The timeout for the whole answer: a user is waiting. */
const TIMEOUT_MS = 6_000
const ANSWER_MAX = 64 * 1024

const Tokens = z.object({ id_token: z.string().max(16_000) })
const Refused = z.object({ error: z.string().max(100) })

/** Exchanges a code for an ID token (OpenID Connect Core §3.1.3). */
async function exchangeCode(
  settings: GoogleSettings,
  { code, codeVerifier, redirectUri }: AuthorizationAnswer,
): Promise<string> {
  const { clientId, clientSecret } = settings
  const answer = await post(settings.tokenUrl, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    client_secret: clientSecret,
    code_verifier: codeVerifier,
  })
  const tokens = Tokens.safeParse(answer.body)
  if (answer.status === 200 && tokens.success) return tokens.data.id_token
  const reason = Refused.safeParse(answer.body).data?.error ?? 'unreadable'
  // Any other error is a fault of our configuration, not of this user's code.
  if (reason === 'invalid_grant') throw new IdentityRejected(reason)
  throw new IdentityUnavailable(`token endpoint: ${answer.status} ${reason}`)
}

async function post(url: string, form: Record<string, string>) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    return { status: response.status, body: text.length > ANSWER_MAX ? null : parseJson(text) }
  } catch (error) {
    throw new IdentityUnavailable('token endpoint: no answer', { cause: error })
  }
}
