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
import { later } from './later.ts'

const register = () => import('../domain/session/register.ts')
const forgotPassword = () => import('../domain/account/forgot-password.ts')
const resetPassword = () => import('../domain/account/reset-password.ts')
const notMe = () => import('../domain/account/not-me.ts')
const verifyEmail = () => import('../domain/account/verify-email.ts')
const changePassword = () => import('../domain/account/change-password.ts')
const listEvents = () => import('../domain/account/list-events.ts')
const exportData = () => import('../domain/account/export-data.ts')
const deleteAccount = () => import('../domain/account/delete-account.ts')

/** The account: registration, email verification, profile, password, notifications, export, deletion. */
export function mountAccount(app: Hono<AppEnv>): void {
  mountPublic(app, registerEndpoint, later(register, 'register'))
  mountSession(app, meEndpoint, me)
  mountSession(app, updateProfileEndpoint, updateProfile)
  mountSession(app, acceptTermsEndpoint, acceptTerms)
  mountSession(app, updateBillingEndpoint, updateBilling)
  mountSession(app, updatePreferencesEndpoint, updatePreferences)
  mountPublic(app, forgotPasswordEndpoint, later(forgotPassword, 'forgotPassword'))
  mountPublic(app, checkResetLinkEndpoint, later(resetPassword, 'checkResetLink'))
  mountPublic(app, resetPasswordEndpoint, later(resetPassword, 'resetPassword'))
  mountPublic(app, notMeEndpoint, later(notMe, 'notMe'))
  mountPublic(app, verifyEmailEndpoint, later(verifyEmail, 'verifyEmail'))
  mountSession(app, resendVerificationEndpoint, later(verifyEmail, 'resendVerification'))
  mountSession(app, changePasswordEndpoint, later(changePassword, 'changePassword'))
  mountSession(app, noticesEndpoint, later(listEvents, 'listNotices'))
  mountSession(app, readNoticesEndpoint, later(listEvents, 'readNotices'))
  mountSession(app, signInHistoryEndpoint, later(listEvents, 'listSignIns'))
  mountSession(app, exportDataEndpoint, later(exportData, 'exportData'))
  mountSession(app, deleteAccountEndpoint, later(deleteAccount, 'deleteAccount'))
}
