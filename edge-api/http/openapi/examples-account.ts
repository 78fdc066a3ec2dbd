import { AUTH, CAREERS, TOAST, VERIFICATION } from '../../../src/contract/messages.ts'
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
  },
  tokens: { used: 120_000, total: 1_000_000 },
  preferences: {
    theme: 'system',
    currency: 'USD',
    mailReceipts: true,
    mailReminders: true,
    mailSecurity: true,
  },
  unreadNotices: 1,
}

const TOKEN = 'eyJhbGciOiJIUzI1NiIsImtpZCI6ImsxIn0.eyJzaWQiOiJzZXNfLi4uIn0.c2lnbmF0dXJl'
const SESSION_ID = 'ses_01k9zq3v7w8x9y0abcdefghjkm'
const SECRET = 'Zk3p0m8mV2l1Qy7hXo5cT9bR4nW6sJ1aUe0dGiKfLxY'
const SIGNED_IN = { token: TOKEN, expiresAt: '2026-11-02T21:30:00.000Z', user: USER }
const PASSWORD = 'Quiet-Otter-42'

const EVENT = {
  id: 'evt_01k9zq3v7w8x9y0abcdefghjkm',
  kind: 'signed_in_new_device',
  text: 'Signed in on a new device: Firefox on Windows.',
  device: 'Firefox on Windows',
  isUnread: true,
  createdAt: '2026-11-02T09:30:00.000Z',
}

const done = (message: string) => ({ success: true, message })

export const ACCOUNT_EXAMPLES: Readonly<Record<string, Example>> = {
  register: {
    body: {
      username: 'ada_lovelace',
      email: 'ada@example.com',
      password: PASSWORD,
      confirmPassword: PASSWORD,
    },
    success: { ...done(TOAST.registered), ...SIGNED_IN },
  },
  login: {
    body: { email: 'ada@example.com', password: PASSWORD, rememberMe: false },
    success: { ...done(TOAST.loggedIn), ...SIGNED_IN },
  },
  providers: { success: { success: true, google: true } },
  googleStart: { query: { next: '/subscription' }, success: { success: true } },
  googleCallback: { query: { code: 'c0de', state: 'st4te' }, success: { success: true } },
  googleFinish: {
    body: { code: SECRET },
    success: { ...done(TOAST.loggedIn), ...SIGNED_IN },
  },
  logout: { success: done(TOAST.loggedOut) },
  me: { success: { success: true, user: USER } },
  updateProfile: {
    body: { firstName: 'Ada', lastName: 'Lovelace', bio: '', phone: '' },
    success: { ...done(AUTH.profileSaved), user: USER },
  },
  updatePreferences: {
    body: { theme: 'system', mailReminders: true },
    success: { ...done(AUTH.preferencesSaved), user: USER },
  },
  forgotPassword: { body: { email: 'ada@example.com' }, success: done(AUTH.resetAccepted) },
  checkResetLink: { params: { token: SECRET }, success: { success: true } },
  resetPassword: {
    params: { token: SECRET },
    body: { password: PASSWORD },
    success: done(TOAST.passwordReset),
  },
  verifyEmail: { params: { token: SECRET }, success: done(TOAST.emailVerified) },
  resendVerification: { success: done(VERIFICATION.sentAgain) },
  changePassword: {
    body: { currentPassword: PASSWORD, newPassword: 'Louder-Otter-43' },
    success: done(AUTH.passwordChanged),
  },
  deleteAccount: { body: { password: PASSWORD }, success: done(AUTH.accountDeleted) },
  sessions: {
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
  endSession: { params: { id: SESSION_ID }, success: done(AUTH.sessionEnded) },
  endOtherSessions: { success: { ...done(AUTH.otherSessionsEnded), ended: 2 } },
  notices: { success: { success: true, notices: [EVENT], unread: 1 } },
  readNotices: { success: { success: true } },
  signInHistory: { success: { success: true, events: [EVENT] } },
  exportData: {
    success: {
      success: true,
      exportedAt: '2026-11-02T10:05:00.000Z',
      data: { user: USER, sessions: [], purchases: [], ledger: [] },
    },
  },
}

export const VISITOR_EXAMPLES: Readonly<Record<string, Example>> = {
  submitTicket: {
    body: {
      email: 'ada@example.com',
      severity: 'medium',
      isFeatureRequest: false,
      query: 'The slip does not show on my second screen.',
    },
    success: { success: true, message: TOAST.ticketSent, ticketNumber: 'T-42' },
  },
  apply: {
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
  live: { success: { success: true } },
  health: {
    success: {
      success: true,
      live: true,
      ready: true,
      parts: {
        database: { status: 'ok', detail: 'answers' },
        mail: { status: 'ok', detail: 'nothing waits' },
      },
    },
  },
}

const DEVICE_CODE = 'Zk3p0m8mV2l1Qy7hXo5cT9bR4nW6sJ1aUe0dGiKfLxY'

export const DEVICE_EXAMPLES: Readonly<Record<string, Example>> = {
  authorizeDevice: {
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
    body: {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: DEVICE_CODE,
    },
    success: {
      success: true,
      access_token: 'eyJhbGciOiJIUzI1NiIsImtpZCI6ImsxIn0.eyJzaWQiOiJzZXNfLi4uIn0.c2lnbmF0dXJl',
      token_type: 'Bearer',
      expires_in: 2_592_000,
    },
  },
  deviceRequest: {
    params: { userCode: 'BCDF-GHJK' },
    success: {
      success: true,
      request: { clientName: 'Desktop app on Windows', expiresAt: '2026-11-02T09:40:00.000Z' },
    },
  },
  confirmDevice: {
    body: { userCode: 'BCDF-GHJK', approve: true },
    success: {
      success: true,
      message: 'Desktop app on Windows is signed in. You can go back to it.',
    },
  },
}
