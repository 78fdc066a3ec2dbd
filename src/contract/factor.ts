import { defineEndpoint, success } from './endpoint.ts'
import { PasswordTyped } from './password.ts'
import { loginEndpoint } from './session.ts'
import { Id, inAscii, Instant, nameWithoutInvisible, text } from './text.ts'
import { z } from './zod.ts'

export const RECOVERY_CODES = 10
export const PASSKEYS_MAX = 10
export const CONFIRMED_MINUTES = 10

/** Sentences about the second step. */
export const FACTOR = {
  required: 'One more step: use your second step to sign in.',
  expired: 'This sign-in has ended. Please start again.',
  stepUp: 'Please confirm it’s you first.',
  wrongCode: 'This code is wrong or has already been used. Please enter the current one.',
  wrongRecoveryCode: 'This recovery code is wrong or has already been used.',
  wrongPasskey: 'This passkey was not accepted. Please try again, or use another method.',
  noPassword: 'Your account has a second step. Please confirm with that instead of your password.',
  tooManyCodes: 'Too many wrong codes. Use a passkey or a recovery code, or try again tomorrow.',
  verifyFirst:
    'Please verify your email address first. You can resend the link from your dashboard.',
  confirmed: 'Confirmed',
  totpOn: 'Your authenticator app is set up',
  totpIsOn: 'An authenticator app is already set up. Remove it first.',
  setupExpired: 'This took too long. Please start again.',
  passkeyAdded: 'Passkey added',
  passkeyKnown: 'This passkey already belongs to an account.',
  passkeyNotUsed: 'No passkey was used. Try again, or choose another method.',
  passkeyNotMade: 'No passkey was created. Try again, or use another browser or device.',
  passkeysFull: 'An account can have at most 10 passkeys. Remove one first.',
  removed: 'Removed',
  renamed: 'Renamed',
  nameRequired: 'Please enter a name',
  nothingToRecover: 'Recovery codes come with a passkey or an authenticator app. Set one up first.',
  justRenewed: 'New recovery codes were created a moment ago. Use those, or try again in a minute.',
  codesRenewed: 'New recovery codes created. The old ones no longer work.',
} as const

/** What the server signed and the browser sends back unchanged. */
const Sealed = z.string().min(1).max(2_000)

const base64Url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/)

/** An answer of the browser's WebAuthn API, in its JSON form. Fields that are not listed are ignored. */
const credential = <Shape extends z.core.$ZodLooseShape>(response: Shape) =>
  z.object({
    id: base64Url(1_400),
    rawId: base64Url(1_400),
    type: z.literal('public-key'),
    response: z.object({ clientDataJSON: base64Url(4_000), ...response }),
  })

export const NewCredential = credential({ attestationObject: base64Url(20_000) })
export type NewCredential = z.infer<typeof NewCredential>

export const Assertion = credential({
  authenticatorData: base64Url(2_000),
  signature: base64Url(2_000),
  /** The account that the authenticator made the passkey for. */
  userHandle: base64Url(100).nullish(),
})
export type Assertion = z.infer<typeof Assertion>

/** Six digits, typed with or without a space. */
export const TotpCode = z
  .string()
  .max(20)
  .transform((code) => inAscii(code).replaceAll(/\s/g, ''))
  .pipe(
    z
      .string()
      .max(6)
      .regex(/^\d{6}$/, 'Please enter the six digits shown in the app'),
  )

/** Sixteen letters and digits, in any case and spacing; letters that look like digits are read as those. */
export const RecoveryCode = z
  .string()
  .max(40)
  .transform((code) =>
    inAscii(code)
      .toUpperCase()
      .replaceAll(/[^0-9A-Z]/g, '')
      .replaceAll('O', '0')
      .replaceAll(/[IL]/g, '1'),
  )
  .pipe(
    z
      .string()
      .max(16)
      .regex(/^[0-9A-HJKMNP-TV-Z]{16}$/, 'Please enter all sixteen characters of a recovery code'),
  )

const PasskeyAnswer = z.object({ sealed: Sealed, credential: Assertion })

const byTotp = z.strictObject({ kind: z.literal('totp'), code: TotpCode })
const byRecoveryCode = z.strictObject({ kind: z.literal('recovery'), code: RecoveryCode })
const byPasskey = z.strictObject({ kind: z.literal('passkey'), ...PasskeyAnswer.shape })
const byPassword = z.strictObject({ kind: z.literal('password'), password: PasswordTyped })

/** How somebody proves a factor of their account. */
export const FactorProof = z.discriminatedUnion('kind', [byTotp, byRecoveryCode, byPasskey])
export type FactorProof = z.infer<typeof FactorProof>

/** With new codes, shown once, where the account has a second step and no code is left. */
const SignedIn = loginEndpoint.success.extend({
  recoveryCodes: z.array(z.string().max(40)).max(RECOVERY_CODES).optional(),
})

export const secondStepEndpoint = defineEndpoint({
  id: 'secondStep',
  method: 'POST',
  path: '/api/auth/login/second-step',
  access: 'public',
  body: z.object({ ticket: z.string().min(1).max(100), proof: FactorProof }),
  success: SignedIn,
  errors: ['LINK_INVALID', 'FACTOR_REFUSED'],
  limit: 'signIn',
})

/** What a browser needs to ask its passkeys for a signature. The same for sign-in, second step and confirmation. */
export const passkeyChallengeEndpoint = defineEndpoint({
  id: 'passkeyChallenge',
  method: 'GET',
  path: '/api/auth/passkey-challenge',
  access: 'public',
  success: success({
    sealed: Sealed,
    options: z.object({
      challenge: base64Url(100),
      rpId: z.string().max(253),
      timeout: z.int(),
      userVerification: z.literal('required'),
    }),
  }),
  limit: 'link',
})

export const passkeySignInEndpoint = defineEndpoint({
  id: 'passkeySignIn',
  method: 'POST',
  path: '/api/auth/login/passkey',
  access: 'public',
  body: PasskeyAnswer.extend({ rememberMe: z.boolean().default(false) }),
  success: SignedIn,
  errors: ['FACTOR_REFUSED'],
  limit: 'signIn',
})

export const stepUpEndpoint = defineEndpoint({
  id: 'stepUp',
  method: 'POST',
  path: '/api/auth/confirm',
  access: 'session',
  body: z.object({
    proof: z.discriminatedUnion('kind', [byTotp, byRecoveryCode, byPasskey, byPassword]),
  }),
  success: success({ confirmedUntil: Instant }),
  errors: ['FACTOR_REFUSED', 'WRONG_PASSWORD'],
  limit: 'signIn',
  limitBy: 'session',
})

export const Passkey = z.object({
  id: Id,
  name: z.string().max(200),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
})
export type Passkey = z.infer<typeof Passkey>

export const factorsEndpoint = defineEndpoint({
  id: 'factors',
  method: 'GET',
  path: '/api/auth/factors',
  access: 'session',
  success: success({
    /** Since when there is an authenticator app; null without one. */
    totpSince: Instant.nullable(),
    passkeys: z.array(Passkey).max(PASSKEYS_MAX),
    recoveryCodesLeft: z.int(),
    hasPassword: z.boolean(),
  }),
})

/** Shown once. Empty while the account has recovery codes that were not used. */
const NewCodes = z.array(z.string().max(40)).max(RECOVERY_CODES)

export const startTotpEndpoint = defineEndpoint({
  id: 'startTotp',
  method: 'POST',
  path: '/api/auth/factors/totp/start',
  access: 'session',
  success: success({ secret: z.string().max(64), uri: z.string().max(500), sealed: Sealed }),
  errors: ['STEP_UP_REQUIRED', 'FACTOR_REFUSED'],
})

export const addTotpEndpoint = defineEndpoint({
  id: 'addTotp',
  method: 'POST',
  path: '/api/auth/factors/totp',
  access: 'session',
  body: z.object({ sealed: Sealed, code: TotpCode }),
  success: success({ recoveryCodes: NewCodes }),
  errors: ['STEP_UP_REQUIRED', 'FACTOR_REFUSED', 'LINK_INVALID'],
  limit: 'signIn',
})

export const removeTotpEndpoint = defineEndpoint({
  id: 'removeTotp',
  method: 'DELETE',
  path: '/api/auth/factors/totp',
  access: 'session',
  success: success({}),
  errors: ['STEP_UP_REQUIRED', 'NOT_FOUND'],
})

export const startPasskeyEndpoint = defineEndpoint({
  id: 'startPasskey',
  method: 'POST',
  path: '/api/auth/factors/passkeys/start',
  access: 'session',
  success: success({
    sealed: Sealed,
    options: z.object({
      challenge: base64Url(100),
      rp: z.object({ id: z.string().max(253), name: z.string().max(100) }),
      user: z.object({
        id: base64Url(100),
        name: z.string().max(300),
        displayName: z.string().max(300),
      }),
      pubKeyCredParams: z
        .array(z.object({ type: z.literal('public-key'), alg: z.int() }))
        .max(PASSKEYS_MAX),
      excludeCredentials: z
        .array(z.object({ type: z.literal('public-key'), id: base64Url(1_400) }))
        .max(PASSKEYS_MAX),
      authenticatorSelection: z.object({
        residentKey: z.literal('required'),
        requireResidentKey: z.literal(true),
        userVerification: z.literal('required'),
      }),
      attestation: z.literal('none'),
      timeout: z.int(),
    }),
  }),
  errors: ['STEP_UP_REQUIRED', 'FACTOR_REFUSED'],
})

export const addPasskeyEndpoint = defineEndpoint({
  id: 'addPasskey',
  method: 'POST',
  path: '/api/auth/factors/passkeys',
  access: 'session',
  body: z.object({ sealed: Sealed, credential: NewCredential }),
  success: success({ recoveryCodes: NewCodes }),
  errors: ['STEP_UP_REQUIRED', 'FACTOR_REFUSED', 'LINK_INVALID'],
  limit: 'signIn',
})

export const RenamePasskeyInput = z.object({
  name: text({ max: 60, required: FACTOR.nameRequired, clean: nameWithoutInvisible }),
})

export const renamePasskeyEndpoint = defineEndpoint({
  id: 'renamePasskey',
  method: 'PATCH',
  path: '/api/auth/factors/passkeys/{id}',
  access: 'session',
  params: z.object({ id: Id }),
  body: RenamePasskeyInput,
  success: success({}),
  errors: ['NOT_FOUND'],
  limit: 'change',
})

export const removePasskeyEndpoint = defineEndpoint({
  id: 'removePasskey',
  method: 'DELETE',
  path: '/api/auth/factors/passkeys/{id}',
  access: 'session',
  params: z.object({ id: Id }),
  success: success({}),
  errors: ['STEP_UP_REQUIRED', 'NOT_FOUND'],
})

export const renewRecoveryCodesEndpoint = defineEndpoint({
  id: 'renewRecoveryCodes',
  method: 'POST',
  path: '/api/auth/factors/recovery-codes',
  access: 'session',
  success: success({ recoveryCodes: NewCodes }),
  errors: ['STEP_UP_REQUIRED', 'NOT_FOUND'],
  limit: 'change',
})
