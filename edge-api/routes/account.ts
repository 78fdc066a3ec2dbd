import type { Hono } from 'hono'
import {
  meEndpoint,
  updatePreferencesEndpoint,
  updateProfileEndpoint,
  acceptTermsEndpoint,
} from '../../src/contract/account.ts'
import { updateBillingEndpoint } from '../../src/contract/billing.ts'
import {
  changePasswordEndpoint,
  checkResetLinkEndpoint,
  deleteAccountEndpoint,
  forgotPasswordEndpoint,
  notMeEndpoint,
  resendVerificationEndpoint,
  resetPasswordEndpoint,
  verifyEmailEndpoint,
} from '../../src/contract/credential.ts'
import {
  exportDataEndpoint,
  noticesEndpoint,
  readNoticesEndpoint,
  signInHistoryEndpoint,
} from '../../src/contract/notice.ts'
import { registerEndpoint } from '../../src/contract/session.ts'
import {
  acceptTerms,
  me,
  updateBilling,
  updatePreferences,
  updateProfile,
} from '../domain/account/update-profile.ts'
import type { AppEnv } from '../http/env.ts'
import { mountPublic, mountSession } from '../http/mount-endpoint.ts'

/** The account: registration, email verification, profile, password, notifications, export, deletion. */
export function mountAccount(app: Hono<AppEnv>): void {
  mountPublic(app, registerEndpoint, async (...call) =>
    (await import('../domain/session/register.ts')).register(...call),
  )
  mountSession(app, meEndpoint, me)
  mountSession(app, updateProfileEndpoint, updateProfile)
  mountSession(app, acceptTermsEndpoint, acceptTerms)
  mountSession(app, updateBillingEndpoint, updateBilling)
  mountSession(app, updatePreferencesEndpoint, updatePreferences)
  mountPublic(app, forgotPasswordEndpoint, async (...call) =>
    (await import('../domain/account/forgot-password.ts')).forgotPassword(...call),
  )
  mountPublic(app, checkResetLinkEndpoint, async (...call) =>
    (await import('../domain/account/reset-password.ts')).checkResetLink(...call),
  )
  mountPublic(app, resetPasswordEndpoint, async (...call) =>
    (await import('../domain/account/reset-password.ts')).resetPassword(...call),
  )
  mountPublic(app, notMeEndpoint, async (...call) =>
    (await import('../domain/account/not-me.ts')).notMe(...call),
  )
  mountPublic(app, verifyEmailEndpoint, async (...call) =>
    (await import('../domain/account/verify-email.ts')).verifyEmail(...call),
  )
  mountSession(app, resendVerificationEndpoint, async (...call) =>
    (await import('../domain/account/verify-email.ts')).resendVerification(...call),
  )
  mountSession(app, changePasswordEndpoint, async (...call) =>
    (await import('../domain/account/change-password.ts')).changePassword(...call),
  )
  mountSession(app, noticesEndpoint, async (...call) =>
    (await import('../domain/account/list-events.ts')).listNotices(...call),
  )
  mountSession(app, readNoticesEndpoint, async (...call) =>
    (await import('../domain/account/list-events.ts')).readNotices(...call),
  )
  mountSession(app, signInHistoryEndpoint, async (...call) =>
    (await import('../domain/account/list-events.ts')).listSignIns(...call),
  )
  mountSession(app, exportDataEndpoint, async (...call) =>
    (await import('../domain/account/export-data.ts')).exportData(...call),
  )
  mountSession(app, deleteAccountEndpoint, async (...call) =>
    (await import('../domain/account/delete-account.ts')).deleteAccount(...call),
  )
}
