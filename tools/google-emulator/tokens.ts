import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from 'hono'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { z } from '../../src/contract/zod.ts'
import {
  type AuthorizationRequest,
  CLIENT_ID,
  CLIENT_SECRET,
  type Person,
} from './authorization.ts'

/** The faults that the next exchange of a code can have. */
export const Fault = z.enum([
  'wrong-nonce',
  'wrong-audience',
  'for-another-app',
  'wrong-issuer',
  'expired',
  'unsigned',
  'foreign-key',
  'no-email',
  'no-email-verified',
  'garbage',
  'server-error',
  'slow',
])
export type Fault = z.output<typeof Fault>

/** Longer than the site waits for Google. */
const SLOW_MS = 9_000

/** A sign-in that a person agreed to, until its code is exchanged. */
export interface Grant {
  request: AuthorizationRequest
  person: Person
}

interface TokenFixture {
  grants: Map<string, Grant>
  signer: Signer
  /** Returns the fault of the next exchange and clears it. */
  takeFault: () => Fault | null
}

const Exchange = z.object({
  grant_type: z.literal('authorization_code'),
  code: z.string(),
  redirect_uri: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  code_verifier: z.string().min(43).max(128),
})

/** POST /token: exchanges a code, once, for an ID token (RFC 6749 §4.1.3, RFC 7636 §4.6). */
export async function exchange(c: Context, fixture: TokenFixture): Promise<Response> {
  const fault = fixture.takeFault()
  if (fault === 'slow') await pause(SLOW_MS)
  if (fault === 'server-error') return c.json({ error: 'internal_failure' }, 503)
  if (fault === 'garbage') return c.html('<!doctype html><title>Not what you asked for</title>')
  const form = Exchange.safeParse(await c.req.parseBody())
  if (!form.success) return c.json({ error: 'invalid_request' }, 400)
  const { client_id, client_secret, code } = form.data
  if (client_id !== CLIENT_ID || client_secret !== CLIENT_SECRET) {
    return c.json({ error: 'invalid_client' }, 401)
  }
  const grant = fixture.grants.get(code)
  fixture.grants.delete(code)
  if (grant === undefined || !isGood(grant, form.data)) {
    return c.json({ error: 'invalid_grant' }, 400)
  }
  const { person, request } = grant
  const id_token = await fixture.signer.sign({ person, nonce: request.nonce, fault })
  c.header('Cache-Control', 'no-store')
  return c.json({ access_token: 'of-no-use', token_type: 'Bearer', expires_in: 3_600, id_token })
}

function isGood({ request }: Grant, form: z.output<typeof Exchange>): boolean {
  const challenge = createHash('sha256').update(form.code_verifier).digest('base64url')
  return form.redirect_uri === request.redirect_uri && challenge === request.code_challenge
}

const KEY_ID = 'emulator-key'

type Signer = Awaited<ReturnType<typeof createSigner>>

interface Subject {
  person: Person
  nonce: string
  fault: Fault | null
}

/** Signs ID tokens with a key of its own, and publishes the public key. */
export async function createSigner(issuer: string) {
  const own = await generateKeyPair('RS256')
  const foreign = await generateKeyPair('RS256')
  const jwk = await exportJWK(own.publicKey)
  return {
    jwks: { keys: [{ ...jwk, kid: KEY_ID, alg: 'RS256', use: 'sig' }] },
    sign: (subject: Subject): Promise<string> | string => {
      const claims = claimsOf(issuer, subject)
      if (subject.fault === 'unsigned') return new UnsecuredJWT(claims).encode()
      const { privateKey } = subject.fault === 'foreign-key' ? foreign : own
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: KEY_ID }).sign(privateKey)
    },
  }
}

function claimsOf(issuer: string, { person, nonce, fault }: Subject) {
  const { email, email_verified, ...others } = person
  const [given_name, ...family] = person.name.split(' ')
  const issuedAt = Math.floor(Date.now() / 1_000) - (fault === 'expired' ? 7_200 : 0)
  return {
    ...others,
    ...(fault === 'no-email' ? {} : { email }),
    ...(fault === 'no-email-verified' ? {} : { email_verified }),
    given_name,
    family_name: family.join(' '),
    iss: fault === 'wrong-issuer' ? 'https://accounts.example' : issuer,
    aud: fault === 'wrong-audience' ? 'somebody-else' : CLIENT_ID,
    azp: fault === 'for-another-app' ? 'somebody-else' : CLIENT_ID,
    nonce: fault === 'wrong-nonce' ? 'another-nonce-than-was-sent' : nonce,
    iat: issuedAt,
    exp: issuedAt + 3_600,
  }
}
