import {
  type AuthorizationAnswer,
  IdentityRefused,
  IdentityUnavailable,
} from '../../domain/ports/identity.ts'
import { z } from '../../../src/contract/zod.ts'
import type { GoogleSettings } from './resolve-google.ts'

/** For the whole answer; a person is waiting. */
const TIMEOUT_MS = 6_000
const ANSWER_MAX = 64 * 1024

const Tokens = z.object({ id_token: z.string().max(16_000) })
const Refused = z.object({ error: z.string().max(100) })

/** Exchanges a code for an ID token (OpenID Connect Core §3.1.3). */
export async function exchangeCode(
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
  // Everything else Google refuses is about us, not about this person's code.
  if (reason === 'invalid_grant') throw new IdentityRefused(reason)
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
    return { status: response.status, body: text.length > ANSWER_MAX ? null : parse(text) }
  } catch (error) {
    throw new IdentityUnavailable('token endpoint: no answer', { cause: error })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
