import { FACTOR } from '../../src/contract/factor.ts'
import { TOAST } from '../../src/contract/messages.ts'
import type { Example } from './document-shape.ts'
import { SECRET, SIGNED_IN } from './examples-account.ts'

const SEALED = 'eyJhbGciOiJIUzI1NiIsImtpZCI6ImsxIn0.eyJjaGFsbGVuZ2UiOiIuLi4ifQ.c2lnbmF0dXJl'
const CHALLENGE = 'Zk3p0m8mV2l1Qy7hXo5cT9bR4nW6sJ1aUe0dGiKfLxY'
const CREDENTIAL_ID = 'b2xkLWdvbGQ'
const PASSKEY_ID = 'pky_01k9zq3v7w8x9y0abcdefghjkm'
const TOTP_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

const answered = (response: Record<string, string>) => ({
  id: CREDENTIAL_ID,
  rawId: CREDENTIAL_ID,
  type: 'public-key',
  response: { clientDataJSON: 'eyJ0eXBlIjoiLi4uIn0', ...response },
})
const ASSERTION = answered({ authenticatorData: 'SZYN5Q', signature: 'MEUCIQ' })
const done = (message: string) => ({ success: true, message })
const withCodes = (message: string) => ({
  ...done(message),
  recoveryCodes: ['7KQ2-X9MD-4TVB-J8RW', 'C3HN-55ZE-YP0G-1S6A'],
})

export const FACTOR_EXAMPLES: Readonly<Record<string, Example>> = {
  secondStep: {
    summary: 'Finish a sign-in that answered FACTOR_REQUIRED, with its ticket and a factor',
    body: { ticket: SECRET, proof: { kind: 'totp', code: '492039' } },
    success: { ...done(TOAST.loggedIn), ...SIGNED_IN },
  },
  passkeyChallenge: {
    summary: 'A challenge for a passkey: to sign in, as a second step or to confirm',
    success: {
      success: true,
      sealed: SEALED,
      options: {
        challenge: CHALLENGE,
        rpId: 'app.example.com',
        timeout: 300_000,
        userVerification: 'required',
      },
    },
  },
  passkeySignIn: {
    summary: 'Sign in with a passkey alone; it counts as both steps',
    body: { sealed: SEALED, credential: ASSERTION, rememberMe: false },
    success: { ...done(TOAST.loggedIn), ...SIGNED_IN },
  },
  stepUp: {
    summary: 'Confirm who you are, for calls that answer STEP_UP_REQUIRED; lasts ten minutes',
    body: { proof: { kind: 'password', password: 'Quiet-Otter-42' } },
    success: { ...done(FACTOR.confirmed), confirmedUntil: '2026-11-02T09:40:00.000Z' },
  },
  factors: {
    summary: 'Passkeys, authenticator app and how many recovery codes are left',
    success: {
      success: true,
      totpSince: null,
      passkeys: [
        {
          id: PASSKEY_ID,
          name: 'Chrome on macOS',
          createdAt: '2026-11-02T09:30:00.000Z',
          lastUsedAt: null,
        },
      ],
      recoveryCodesLeft: 10,
      hasPassword: true,
    },
  },
  startTotp: {
    summary: 'A secret for an authenticator app; stored once addTotp sends its first code',
    success: {
      success: true,
      secret: TOTP_SECRET,
      uri: `otpauth://totp/Example:ada%40example.com?issuer=Example&secret=${TOTP_SECRET}&algorithm=SHA1&digits=6&period=30`,
      sealed: SEALED,
    },
  },
  addTotp: {
    summary: 'Turn the authenticator app on; the first factor brings recovery codes, shown once',
    body: { sealed: SEALED, code: '492039' },
    success: withCodes(FACTOR.totpOn),
  },
  removeTotp: {
    summary: 'Remove the authenticator app',
    success: done(FACTOR.removed),
  },
  startPasskey: {
    summary: 'What the browser needs to make a passkey',
    success: {
      success: true,
      sealed: SEALED,
      options: {
        challenge: CHALLENGE,
        rp: { id: 'app.example.com', name: 'Example' },
        user: { id: 'dXNyXzAx', name: 'ada@example.com', displayName: 'ada_lovelace' },
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        excludeCredentials: [],
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'none',
        timeout: 300_000,
      },
    },
  },
  addPasskey: {
    summary: 'Add the passkey that the browser made; the first factor brings recovery codes',
    body: { sealed: SEALED, credential: answered({ attestationObject: 'o2NmbXQ' }) },
    success: withCodes(FACTOR.passkeyAdded),
  },
  renamePasskey: {
    summary: 'Rename one passkey',
    params: { id: PASSKEY_ID },
    body: { name: 'The blue key' },
    success: done(FACTOR.renamed),
  },
  removePasskey: {
    summary: 'Remove one passkey',
    params: { id: PASSKEY_ID },
    success: done(FACTOR.removed),
  },
  renewRecoveryCodes: {
    summary: 'Replace the recovery codes; the answer shows them once',
    success: withCodes(FACTOR.codesRenewed),
  },
}
