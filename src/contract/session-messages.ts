/** What any page of an account may say. The browser loads this with the session, and messages.ts with what needs it. */
export const SESSION = {
  loggedOut: 'Logged out successfully',
  signedOutHere:
    'You are signed out in this browser, but the server has not confirmed it. Your sessions are listed under Security.',
  storageBlocked: 'Your browser blocks site data. Allow it for this site, then sign in again.',
  resetSignedIn:
    'You are signed in, so the link was not opened. To use it, sign out and open it again.',
} as const

export const VERIFICATION = {
  failed: 'Email verification failed. Please try again.',
  expired: 'Email verification failed. The link may be expired or invalid.',
  sentAgain: 'We sent you a new verification email.',
  alreadyVerified: 'Your email address is already verified.',
} as const
