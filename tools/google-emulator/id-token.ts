import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { CLIENT_ID } from './authorization.ts'
import type { Fault } from './fault.ts'
import type { Person } from './person.ts'

const KEY_ID = 'emulator-key'

export type Signer = Awaited<ReturnType<typeof createSigner>>

interface Subject {
  person: Person
  nonce: string
  fault: Fault | null
}

/** Signs ID tokens with a key of its own, and publishes its public half. */
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
  const { email, ...others } = person
  const [given_name, ...family] = person.name.split(' ')
  const issuedAt = Math.floor(Date.now() / 1_000) - (fault === 'expired' ? 7_200 : 0)
  return {
    ...others,
    ...(fault === 'no-email' ? {} : { email }),
    given_name,
    family_name: family.join(' '),
    iss: fault === 'wrong-issuer' ? 'https://accounts.example' : issuer,
    aud: fault === 'wrong-audience' ? 'somebody-else' : CLIENT_ID,
    azp: CLIENT_ID,
    nonce: fault === 'wrong-nonce' ? 'another-nonce-than-was-sent' : nonce,
    iat: issuedAt,
    exp: issuedAt + 3_600,
  }
}
