import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from 'hono'
import { z } from '../../src/contract/zod.ts'
import { type AuthorizationRequest, CLIENT_ID, CLIENT_SECRET } from './authorization.ts'
import type { Fault } from './fault.ts'
import type { Signer } from './id-token.ts'
import type { Person } from './person.ts'

const CODE_TTL_MS = 60_000
/** Longer than the site waits for Google. */
const SLOW_MS = 9_000

/** A sign-in somebody agreed to, until its code is exchanged. */
export interface Grant {
  request: AuthorizationRequest
  person: Person
  issuedAt: number
}

export interface TokenWorld {
  grants: Map<string, Grant>
  signer: Signer
  /** The fault of the next exchange; taken by it. */
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

/** POST /token: a code, once, for an ID token (RFC 6749 §4.1.3, RFC 7636 §4.6). */
export async function exchange(c: Context, world: TokenWorld): Promise<Response> {
  const fault = world.takeFault()
  if (fault === 'slow') await pause(SLOW_MS)
  if (fault === 'server-error') return c.json({ error: 'internal_failure' }, 503)
  if (fault === 'garbage') return c.html('<!doctype html><title>Not what you asked for</title>')
  const form = Exchange.safeParse(await c.req.parseBody())
  if (!form.success) return c.json({ error: 'invalid_request' }, 400)
  const { client_id, client_secret, code } = form.data
  if (client_id !== CLIENT_ID || client_secret !== CLIENT_SECRET) {
    return c.json({ error: 'invalid_client' }, 401)
  }
  const grant = world.grants.get(code)
  world.grants.delete(code)
  if (grant === undefined || !isGood(grant, form.data)) {
    return c.json({ error: 'invalid_grant' }, 400)
  }
  const { person, request } = grant
  const id_token = await world.signer.sign({ person, nonce: request.nonce, fault })
  c.header('Cache-Control', 'no-store')
  return c.json({ access_token: 'of-no-use', token_type: 'Bearer', expires_in: 3_600, id_token })
}

function isGood({ request, issuedAt }: Grant, form: z.output<typeof Exchange>): boolean {
  const challenge = createHash('sha256').update(form.code_verifier).digest('base64url')
  return (
    Date.now() - issuedAt < CODE_TTL_MS &&
    form.redirect_uri === request.redirect_uri &&
    challenge === request.code_challenge
  )
}
