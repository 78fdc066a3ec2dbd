import { TRIAL_TOKENS } from '../../src/contract/answers.ts'
import { DESKTOP_SESSION_DAYS } from '../../src/contract/limits.ts'
import { AUTH, CAREERS, NOT_ME, TOAST } from '../../src/contract/messages.ts'
import { SESSION, VERIFICATION } from '../../src/contract/session-messages.ts'
import type { Example } from './document-shape.ts'

const USER = {
  id: 'usr_01k9zq3v7w8x9y0abcdefghjkm',
  username: 'ada_lovelace',
  email: 'ada@example.com',
  isEmailVerified: true,
  createdAt: '2026-11-02T09:30:00.000Z',
  phone: null,
  firstName: 'Ada',
  lastName: 'Lovelace',
  profile: { firstName: 'Ada', lastName: 'Lovelace', fullName: 'Ada Lovelace', bio: null },
  subscription: {
    status: 'active',
    plan: 'pro',
    currentPeriodEnd: '2027-11-02T09:41:00.000Z',
    cancelAtPeriodEnd: false,
    takenBackAt: null,
  },
  tokens: { used: 120_000, total: 1_000_000 },
  preferences: {
    theme: 'system',
    currency: 'USD',
    mailReminders: true,
  },
  unreadNotices: 1,
  mustAcceptTerms: false,
  billing: null,
}

const TOKEN = 'eyJhbGciOiJIUzI1NiIsImtpZCI6ImsxIn0.eyJzaWQiOiJzZXNfLi4uIn0.c2lnbmF0dXJl'
const SESSION_ID = 'ses_01k9zq3v7w8x9y0abcdefghjkm'
export const SECRET = 'Zk3p0m8mV2l1Qy7hXo5cT9bR4nW6sJ1aUe0dGiKfLxY'
export const SIGNED_IN = { token: TOKEN, expiresAt: '2026-11-02T21:30:00.000Z', user: USER }
const PASSWORD = 'Quiet-Otter-42'

const EVENT = {
  id: 'evt_01k9zq3v7w8x9y0abcdefghjkm',
  kind: 'signed_in_new_device',
  text: 'New sign-in from Firefox on Windows.',
  device: 'Firefox on Windows',
  isUnread: true,
  createdAt: '2026-11-02T09:30:00.000Z',
}

const done = (message: string) => ({ success: true, message })

export const ACCOUNT_EXAMPLES: Readonly<Record<string, Example>> = {
  register: {
    summary: 'Create an account, sign it in and email a verification link',
    body: {
      username: 'ada_lovelace',
      email: 'ada@example.com',
      password: PASSWORD,
      confirmPassword: PASSWORD,
    },
    success: { ...done(TOAST.registered), ...SIGNED_IN },
  },
  login: {
    summary: 'Sign in; "remember me" makes the session last 30 days instead of 12 hours',
    body: { email: 'ada@example.com', password: PASSWORD, rememberMe: false },
    success: { ...done(TOAST.loggedIn), ...SIGNED_IN },
  },
  providers: {
    summary: 'Which other ways to sign in are offered',
    success: { success: true, google: true },
  },
  googleStart: {
    summary: 'For the browser: begins a sign-in with Google and redirects (302) there',
    query: { next: '/subscription' },
    success: { success: true },
  },
  googleCallback: {
    summary: 'For the browser: return from Google; redirects (302) to /login, which finishes',
    query: { code: 'c0de', state: 'st4te' },
    success: { success: true },
  },
  googleFinish: {
    summary: 'Turns the code of /login#google=… into a session, in the same browser',
    body: { code: SECRET },
    success: { ...done(TOAST.loggedIn), ...SIGNED_IN },
  },
  logout: { summary: 'End the session of the bearer token', success: done(SESSION.loggedOut) },
  me: {
    summary: 'The signed-in user, and when the session ends',
    success: {
      success: true,
      user: USER,
      session: { kind: 'browser', expiresAt: SIGNED_IN.expiresAt },
    },
  },
  updateProfile: {
    summary:
      'Change the profile: names, phone and the fields about the user; what is left out stays',
    body: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      bio: 'Notes on the analytical engine.',
      phone: '+44 20 7946 0000',
    },
    success: { ...done(AUTH.profileSaved), user: USER },
  },
  updatePreferences: {
    summary: 'Change theme, preferred currency and optional emails; what is left out stays',
    body: { theme: 'system', mailReminders: true },
    success: { ...done(AUTH.preferencesSaved), user: USER },
  },
  updateBilling: {
    summary:
      'Set who receipts are made out to: the place decides the tax; what is left out is emptied',
    body: { place: '29', name: 'Example Works', address: '', gstin: '' },
    success: { ...done(AUTH.profileSaved), user: USER },
  },
  acceptTerms: {
    summary: 'Accept the present terms, when mustAcceptTerms asks for it',
    success: { success: true, user: USER },
  },
  forgotPassword: {
    summary: 'Email a reset link; the answer is the same whether or not the address is known',
    body: { email: 'ada@example.com' },
    success: done(AUTH.resetAccepted),
  },
  checkResetLink: {
    summary: 'Check whether a reset link still works; does not use it up',
    params: { token: SECRET },
    success: { success: true, email: 'ada@example.com' },
  },
  resetPassword: {
    summary: 'Set a new password with an emailed link; ends all sessions',
    params: { token: SECRET },
    body: { password: PASSWORD },
    success: done(TOAST.passwordReset),
  },
  notMe: {
    summary:
      'Lock the account with the link in a security email: ends sessions, emails a reset link',
    params: { token: SECRET },
    success: done(NOT_ME.done),
  },
  verifyEmail: {
    summary: 'Verify the address a link was emailed to; the same link answers success again',
    params: { token: SECRET },
    success: { ...done(TOAST.emailVerified), email: 'ada@example.com', trialTokens: TRIAL_TOKENS },
  },
  resendVerification: {
    summary: 'Email the verification link again',
    success: done(VERIFICATION.sentAgain),
  },
  changePassword: {
    summary: 'Change the password; ends all other sessions',
    body: { currentPassword: PASSWORD, newPassword: 'Louder-Otter-43' },
    success: done(AUTH.passwordChanged),
  },
  deleteAccount: {
    summary: 'Delete the account: ends sessions, erases personal data, keeps receipts',
    body: { password: PASSWORD },
    success: done(AUTH.accountDeleted),
  },
  sessions: {
    summary: 'Where the account is signed in',
    success: {
      success: true,
      sessions: [
        {
          id: SESSION_ID,
          kind: 'browser',
          device: 'Firefox on Windows',
          createdAt: '2026-11-02T09:30:00.000Z',
          lastUsedAt: '2026-11-02T10:02:00.000Z',
          expiresAt: '2026-11-02T21:30:00.000Z',
          isCurrent: true,
        },
      ],
    },
  },
  endSession: {
    summary: 'End one session',
    params: { id: SESSION_ID },
    success: done(AUTH.sessionEnded),
  },
  endOtherSessions: {
    summary: 'End all sessions but this one',
    success: { ...done(AUTH.otherSessionsEnded), ended: 2 },
  },
  notices: {
    summary:
      'What happened recently: payments, refunds, verification, sign-ins on a new kind of device or network, few tokens left',
    success: { success: true, notices: [EVENT], unread: 1 },
  },
  readNotices: { summary: 'Mark everything read', success: { success: true } },
  signInHistory: {
    summary: 'Successful and failed sign-ins of the last 90 days',
    success: { success: true, events: [EVENT] },
  },
  exportData: {
    summary:
      'The data of the account, streamed; incomplete, at its end, names lists too long for one file',
    success: {
      success: true,
      exportedAt: '2026-11-02T10:05:00.000Z',
      data: { user: USER, sessions: [], purchases: [], ledger: [], incomplete: [] },
    },
  },
  ownSubmissions: {
    summary: 'Tickets or applications sent in under the address, beyond those of the export',
    query: { kind: 'supportTickets' },
    success: { success: true, submissions: [{ number: 42, query: 'Hello' }], nextBefore: null },
  },
}

export const VISITOR_EXAMPLES: Readonly<Record<string, Example>> = {
  submitTicket: {
    summary: 'Write to support; the sender and the team get an email',
    body: {
      email: 'ada@example.com',
      severity: 'medium',
      isFeatureRequest: false,
      query: 'The overlay does not show on my second screen.',
    },
    success: { success: true, message: TOAST.ticketSent, ticketNumber: 'T-42' },
  },
  apply: {
    summary: 'Apply for a job; the applicant and the team get an email',
    body: {
      jobId: 'software-engineer-junior',
      fullName: 'Ada Lovelace',
      email: 'ada@example.com',
      phone: '+44 20 7946 0000',
      linkedinUrl: '',
      githubUrl: 'https://github.com/ada',
      resumeUrl: 'https://example.com/ada.pdf',
      currentLocation: 'London, United Kingdom',
      workingCountry: 'United Kingdom',
      workAuthorization: 'other-visa',
      remotePreference: 'hybrid',
      experience: 'Notes on the analytical engine.',
      whyJoin: 'I like quiet machines.',
    },
    success: { success: true, message: CAREERS.success, applicationNumber: 'A-7' },
  },
  live: { summary: 'Whether the Worker is running', success: { success: true } },
  health: {
    summary: 'What works and what does not: 503 when a part that is needed is down',
    success: {
      success: true,
      live: true,
      ready: true,
      parts: {
        database: { status: 'ok', detail: 'answers and stores' },
        mail: { status: 'ok', detail: 'nothing waits' },
      },
    },
  },
}

const DEVICE_CODE = 'Zk3p0m8mV2l1Qy7hXo5cT9bR4nW6sJ1aUe0dGiKfLxY'

export const DEVICE_EXAMPLES: Readonly<Record<string, Example>> = {
  authorizeDevice: {
    summary: 'RFC 8628 §3.1: a desktop app asks for a code to show',
    body: { client_name: 'Desktop app on Windows' },
    success: {
      success: true,
      device_code: DEVICE_CODE,
      user_code: 'BCDF-GHJK',
      verification_uri: 'https://app.example.com/device',
      verification_uri_complete: 'https://app.example.com/device?code=BCDF-GHJK',
      expires_in: 600,
      interval: 5,
    },
  },
  deviceToken: {
    summary: 'RFC 8628 §3.4: the app polls; until confirmed 400 with error as in §3.5',
    body: {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: DEVICE_CODE,
    },
    success: {
      success: true,
      access_token: 'eyJhbGciOiJIUzI1NiIsImtpZCI6ImsxIn0.eyJzaWQiOiJzZXNfLi4uIn0.c2lnbmF0dXJl',
      token_type: 'Bearer',
      expires_in: DESKTOP_SESSION_DAYS * 86_400,
    },
  },
  deviceRequest: {
    summary: 'Show which app is waiting for a code to be confirmed',
    params: { userCode: 'BCDF-GHJK' },
    success: {
      success: true,
      request: {
        clientName: 'Desktop app on Windows',
        expiresAt: '2026-11-02T09:40:00.000Z',
        isConnected: false,
      },
    },
  },
  confirmDevice: {
    summary: 'Connect the app with this code, or refuse it',
    body: { userCode: 'BCDF-GHJK', approve: true },
    success: {
      success: true,
      message: 'Desktop app on Windows is signed in. You can go back to it.',
    },
  },
}
