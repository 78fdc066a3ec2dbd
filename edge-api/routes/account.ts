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
import { acceptTerms } from '../domain/account/accept-terms.ts'
import { changePassword } from '../domain/account/change-password.ts'
import { checkResetLink, resetPassword } from '../domain/account/reset-password.ts'
import { forgotPassword } from '../domain/account/forgot-password.ts'
import { listNotices, listSignIns, readNotices } from '../domain/account/list-events.ts'
import { me } from '../domain/account/me.ts'
import { notMe } from '../domain/account/not-me.ts'
import { register } from '../domain/account/register.ts'
import {
  updateBilling,
  updatePreferences,
  updateProfile,
} from '../domain/account/update-profile.ts'
import { resendVerification, verifyEmail } from '../domain/account/verify-email.ts'
import type { AppEnv } from '../http/env.ts'
import { mountPublic, mountSession } from '../http/mount-endpoint.ts'
import { whenCalled } from '../http/when-called.ts'

const exports = () => import('../domain/account/export-data.ts')
const deletion = () => import('../domain/account/delete-account.ts')

/** The account: registration, email verification, profile, password, notifications, export, deletion. */
export function mountAccount(app: Hono<AppEnv>): void {
  mountPublic(app, registerEndpoint, register)
  mountSession(app, meEndpoint, me)
  mountSession(app, updateProfileEndpoint, updateProfile)
  mountSession(app, acceptTermsEndpoint, acceptTerms)
  mountSession(app, updateBillingEndpoint, updateBilling)
  mountSession(app, updatePreferencesEndpoint, updatePreferences)
  mountPublic(app, forgotPasswordEndpoint, forgotPassword)
  mountPublic(app, checkResetLinkEndpoint, checkResetLink)
  mountPublic(app, resetPasswordEndpoint, resetPassword)
  mountPublic(app, notMeEndpoint, notMe)
  mountPublic(app, verifyEmailEndpoint, verifyEmail)
  mountSession(app, resendVerificationEndpoint, resendVerification)
  mountSession(app, changePasswordEndpoint, changePassword)
  mountSession(app, noticesEndpoint, listNotices)
  mountSession(app, readNoticesEndpoint, readNotices)
  mountSession(app, signInHistoryEndpoint, listSignIns)
  mountSession(
    app,
    exportDataEndpoint,
    whenCalled(exports, (verbs) => verbs.exportData),
  )
  mountSession(
    app,
    deleteAccountEndpoint,
    whenCalled(deletion, (verbs) => verbs.deleteAccount),
  )
}
