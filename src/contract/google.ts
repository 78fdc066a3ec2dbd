import { defineEndpoint, success } from './endpoint.ts'
import { URL_MAX } from './limits.ts'
import { AUTH } from './messages.ts'
import { loginEndpoint } from './session.ts'
import { z } from './zod.ts'

/** Why a sign-in with Google ended at /login (`?problem=`), and the sentence shown there. */
export const GOOGLE_PROBLEMS = {
  google_cancelled:
    'You did not finish signing in with Google. Try again, or sign in with your email and password.',
  google_expired:
    'This sign-in with Google took too long or was started in another window. Please start again.',
  google_failed:
    'Signing in with Google did not work, and nothing was changed. Please try again, or sign in with your email and password.',
  google_unavailable:
    'Google cannot be reached right now. Please try again in a minute, or sign in with your email and password.',
  google_unverified:
    'Google has not verified the email address of that Google account. Verify it there first, or register with an email and a password.',
  google_verify_first:
    'An account with this email address exists, but the address was never verified. Sign in with your password (you can reset it by email) and verify the address first. Then sign in with Google.',
  google_other_account:
    'The account with this email address is connected to another Google account. Sign in with that one, or with your email and password.',
  google_suspended: AUTH.suspended,
  google_locked: AUTH.locked,
  google_busy: 'Too many attempts. Please wait a minute and try again.',
} as const

/** Shown in the browser of another app, in which Google refuses to sign anybody in. */
export const GOOGLE_IN_APP =
  'Google does not sign in inside other apps. Open this page in your browser (in the menu, often ⋯ or ⋮: “Open in browser”), or sign in here with your password or a passkey.'

export type GoogleProblem = keyof typeof GOOGLE_PROBLEMS

/** Shown when a form asks for the password of an account that was created with Google. */
export const NO_PASSWORD =
  'This account signs in with Google and has no password yet. To set one, sign out, choose "Forgot your password?" on the sign-in page and follow the link we email you. Then come back.'

/** A path of this site. Rejects what browsers could read as another origin, such as `//host` and `/\host`. */
const NextPath = z
  .string()
  .max(URL_MAX)
  .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/)

export const providersEndpoint = defineEndpoint({
  id: 'providers',
  method: 'GET',
  path: '/api/auth/providers',
  access: 'public',
  success: success({ google: z.boolean() }),
})

export const googleStartEndpoint = defineEndpoint({
  id: 'googleStart',
  method: 'GET',
  path: '/api/auth/google/start',
  access: 'public',
  query: z.object({ next: NextPath.optional().catch(undefined) }),
  success: success({}),
  // Not as a sign-in: any page can make a browser call it, and would use up the sign-ins of its visitors.
  limit: 'link',
})

export const googleCallbackEndpoint = defineEndpoint({
  id: 'googleCallback',
  method: 'GET',
  path: '/api/auth/google/callback',
  access: 'public',
  query: z.object({
    code: z.string().max(2_000).optional(),
    state: z.string().max(200).optional(),
    error: z.string().max(200).optional(),
  }),
  success: success({}),
  limit: 'link',
})

export const googleFinishEndpoint = defineEndpoint({
  id: 'googleFinish',
  method: 'POST',
  path: '/api/auth/google/finish',
  access: 'public',
  body: z.object({ code: z.string().min(1).max(100) }),
  success: loginEndpoint.success,
  errors: ['LINK_INVALID', 'FACTOR_REQUIRED'],
  limit: 'link',
})
