import { jwtVerify } from 'jose'
import { NAME_MAX } from '../../../src/contract/limits.ts'
import { accountEmail, text } from '../../../src/contract/text.ts'
import { z } from '../../../src/contract/zod.ts'
import {
  type AuthorizationAnswer,
  type Identity,
  IdentityRejected,
  IdentityUnavailable,
} from '../../domain/ports/identity.ts'
import { isTokenFault, remoteKeys } from '../remote-keys.ts'
import type { GoogleSettings } from './resolve-google.ts'

const CLOCK_TOLERANCE_SECONDS = 60
const MAX_AGE_SECONDS = 600

/** The name if a user could type it; null otherwise. */
const Name = z
  .string()
  .transform((name) => name.trim().slice(0, NAME_MAX))
  .pipe(text({ max: NAME_MAX, required: 'empty' }))
  .nullable()
  .catch(null)

const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: accountEmail(),
  email_verified: z.boolean().default(false),
  nonce: z.string(),
  aud: z.string(),
  azp: z.string().optional(),
  name: Name,
  given_name: Name,
  family_name: Name,
})

interface IdToken extends Pick<AuthorizationAnswer, 'nonce' | 'now'> {
  idToken: string
}

/** Verifies an ID token (OpenID Connect Core §3.1.3.7) and answers the identity in it. */
export async function readIdToken(settings: GoogleSettings, token: IdToken): Promise<Identity> {
  const claims = Claims.safeParse(await verify(settings, token))
  if (!claims.success) throw new IdentityRejected('id token: claims')
  const { sub, nonce, azp, name, given_name, family_name, ...rest } = claims.data
  if (nonce !== token.nonce) throw new IdentityRejected('id token: nonce')
  if (azp !== undefined && azp !== settings.clientId) throw new IdentityRejected('id token: azp')
  return {
    subject: sub,
    email: rest.email,
    isEmailVerified: rest.email_verified,
    name: name ?? given_name ?? '',
    firstName: given_name,
    lastName: family_name,
  }
}

async function verify(settings: GoogleSettings, { idToken, now }: IdToken): Promise<unknown> {
  try {
    const { payload } = await jwtVerify(idToken, remoteKeys(settings.jwksUrl), {
      algorithms: ['RS256'],
      issuer: settings.issuers,
      audience: settings.clientId,
      requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
      maxTokenAge: MAX_AGE_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now),
    })
    return payload
  } catch (error) {
    if (isTokenFault(error)) {
      throw new IdentityRejected(`id token: ${error instanceof Error ? error.message : ''}`, {
        cause: error,
      })
    }
    throw new IdentityUnavailable('keys: no answer', { cause: error })
  }
}
