import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A passkey in software: signs like a platform authenticator that has verified its user. */
export interface Authenticator {
  /** The answer to `navigator.credentials.create`, in JSON. */
  create: (options: { challenge: string; rp: { id: string } }) => NewCredentialJson
  /** The answer to `navigator.credentials.get`, in JSON. */
  get: (options: { challenge: string; rpId: string }) => AssertionJson
}

interface Answered<Response> {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string } & Response
}
type NewCredentialJson = Answered<{ attestationObject: string }>
type AssertionJson = Answered<{ authenticatorData: string; signature: string }>

interface Options {
  origin: string
  /** False for an authenticator that only checks that somebody is there. */
  verifiesUser?: boolean
  /** Says what keeps the passkey, as a UUID. */
  aaguid?: string
}

/** Of an authenticator that does not say what it is. */
export const NO_AAGUID = '00000000-0000-0000-0000-000000000000'

export function newAuthenticator({
  origin,
  verifiesUser = true,
  aaguid = NO_AAGUID,
}: Options): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const keeper = Buffer.from(aaguid.replaceAll('-', ''), 'hex')
  let signCount = 0

  /** WebAuthn §6.1: hash of the RP id, flags, counter, and for a new credential its key. */
  const authenticatorData = (rpId: string, attested: Buffer | null) => {
    const flags = 0x01 | (verifiesUser ? 0x04 : 0) | (attested === null ? 0 : 0x40)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(signCount)
    return Buffer.concat([sha256(rpId), Buffer.of(flags), counter, attested ?? Buffer.alloc(0)])
  }
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const answer = <Response>(client: Buffer, response: Response): Answered<Response> => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    response: { clientDataJSON: client.toString('base64url'), ...response },
  })

  return {
    create: ({ challenge, rp }) => {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const length = Buffer.of(0, id.length)
      const attested = Buffer.concat([keeper, length, id, coseKey(x, y)])
      const data = authenticatorData(rp.id, attested)
      const attestationObject = attestation(data).toString('base64url')
      return answer(clientData('webauthn.create', challenge), { attestationObject })
    },
    get: ({ challenge, rpId }) => {
      signCount += 1
      const data = authenticatorData(rpId, null)
      const client = clientData('webauthn.get', challenge)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return answer(client, {
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      })
    },
  }
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** CBOR: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}. */
function coseKey(x: string, y: string): Buffer {
  const bytes = (text: string) =>
    Buffer.concat([Buffer.of(0x58, 32), Buffer.from(text, 'base64url')])
  const head = Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01)
  return Buffer.concat([head, Buffer.of(0x21), bytes(x), Buffer.of(0x22), bytes(y)])
}

/** CBOR: {fmt: "none", attStmt: {}, authData}. */
function attestation(authData: Buffer): Buffer {
  const text = (value: string) =>
    Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)])
  const length = Buffer.of(0x58, authData.length)
  return Buffer.concat([
    Buffer.of(0xa3),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.of(0xa0),
    text('authData'),
    length,
    authData,
  ])
}
