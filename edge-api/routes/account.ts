import type { Hono } from 'hono'
import {
  meEndpoint,
  updatePreferencesEndpoint,
  updateProfileEndpoint,
  acceptTermsEndpoint,
} from '../../src/contract/account.ts'
import { mailDownloadEndpoint } from '../../src/contract/app.ts'
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
import { exportDataEndpoint, ownSubmissionsEndpoint } from '../../src/contract/data-export.ts'
import {
  noticesEndpoint,
  readNoticesEndpoint,
  signInHistoryEndpoint,
} from '../../src/contract/notice.ts'
import { registerEndpoint } from '../../src/contract/session.ts'
import { me } from '../domain/profile/me.ts'
import {
  acceptTerms,
  updateBilling,
  updatePreferences,
  updateProfile,
} from '../domain/profile/update-profile.ts'
import type { AppEnv } from '../http/env.ts'
import { mountPublic, mountSession, mountStream, onDemand } from '../http/mount-endpoint.ts'

const register = () => import('../domain/sign-in/register.ts')
const resetPassword = () => import('../domain/password/reset-password.ts')
const notMe = () => import('../domain/mailed-link/not-me.ts')
const verifyEmail = () => import('../domain/mailed-link/verify-email.ts')
const mailDownload = () => import('../domain/desktop-app/mail-download.ts')
const changePassword = () => import('../domain/password/change-password.ts')
const listNotices = () => import('../domain/profile/list-notices.ts')
const exportData = () => import('../domain/data-rights/export-data.ts')
const deleteAccount = () => import('../domain/data-rights/delete-account.ts')

/** The account: registration, email verification, profile, password, notifications, export, deletion. */
export function mountAccount(app: Hono<AppEnv>): void {
  mountPublic(app, registerEndpoint, onDemand(register, 'register'))
  mountSession(app, meEndpoint, me)
  mountSession(app, updateProfileEndpoint, updateProfile)
  mountSession(app, acceptTermsEndpoint, acceptTerms)
  mountSession(app, updateBillingEndpoint, updateBilling)
  mountSession(app, updatePreferencesEndpoint, updatePreferences)
  mountPublic(app, forgotPasswordEndpoint, onDemand(resetPassword, 'forgotPassword'))
  mountPublic(app, checkResetLinkEndpoint, onDemand(resetPassword, 'checkResetLink'))
  mountPublic(app, resetPasswordEndpoint, onDemand(resetPassword, 'resetPassword'))
  mountPublic(app, notMeEndpoint, onDemand(notMe, 'notMe'))
  mountPublic(app, verifyEmailEndpoint, onDemand(verifyEmail, 'verifyEmail'))
  mountSession(app, resendVerificationEndpoint, onDemand(verifyEmail, 'resendVerification'))
  mountSession(app, mailDownloadEndpoint, onDemand(mailDownload, 'mailDownload'))
  mountSession(app, changePasswordEndpoint, onDemand(changePassword, 'changePassword'))
  mountSession(app, noticesEndpoint, onDemand(listNotices, 'listNotices'))
  mountSession(app, readNoticesEndpoint, onDemand(listNotices, 'readNotices'))
  mountSession(app, signInHistoryEndpoint, onDemand(listNotices, 'listSignIns'))
  mountStream(app, exportDataEndpoint, onDemand(exportData, 'exportData'))
  mountSession(app, ownSubmissionsEndpoint, onDemand(exportData, 'listSubmissions'))
  mountSession(app, deleteAccountEndpoint, onDemand(deleteAccount, 'deleteAccount'))
}
