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
import { me } from '../domain/account/me.ts'
import {
  updateBilling,
  updatePreferences,
  updateProfile,
} from '../domain/account/update-profile.ts'
import type { AppEnv } from '../http/env.ts'
import { mountPublic, mountSession } from '../http/mount-endpoint.ts'
import { whenCalled } from '../http/when-called.ts'

const changePasswordVerbs = () => import('../domain/account/change-password.ts')
const resetPasswordVerbs = () => import('../domain/account/reset-password.ts')
const forgotPasswordVerbs = () => import('../domain/account/forgot-password.ts')
const listEventsVerbs = () => import('../domain/account/list-events.ts')
const notMeVerbs = () => import('../domain/account/not-me.ts')
const registerVerbs = () => import('../domain/account/register.ts')
const verifyEmailVerbs = () => import('../domain/account/verify-email.ts')
const exports = () => import('../domain/account/export-data.ts')
const deletion = () => import('../domain/account/delete-account.ts')

/** The account: registration, email verification, profile, password, notifications, export, deletion. */
export function mountAccount(app: Hono<AppEnv>): void {
  mountPublic(
    app,
    registerEndpoint,
    whenCalled(registerVerbs, (verbs) => verbs.register),
  )
  mountSession(app, meEndpoint, me)
  mountSession(app, updateProfileEndpoint, updateProfile)
  mountSession(app, acceptTermsEndpoint, acceptTerms)
  mountSession(app, updateBillingEndpoint, updateBilling)
  mountSession(app, updatePreferencesEndpoint, updatePreferences)
  mountPublic(
    app,
    forgotPasswordEndpoint,
    whenCalled(forgotPasswordVerbs, (verbs) => verbs.forgotPassword),
  )
  mountPublic(
    app,
    checkResetLinkEndpoint,
    whenCalled(resetPasswordVerbs, (verbs) => verbs.checkResetLink),
  )
  mountPublic(
    app,
    resetPasswordEndpoint,
    whenCalled(resetPasswordVerbs, (verbs) => verbs.resetPassword),
  )
  mountPublic(
    app,
    notMeEndpoint,
    whenCalled(notMeVerbs, (verbs) => verbs.notMe),
  )
  mountPublic(
    app,
    verifyEmailEndpoint,
    whenCalled(verifyEmailVerbs, (verbs) => verbs.verifyEmail),
  )
  mountSession(
    app,
    resendVerificationEndpoint,
    whenCalled(verifyEmailVerbs, (verbs) => verbs.resendVerification),
  )
  mountSession(
    app,
    changePasswordEndpoint,
    whenCalled(changePasswordVerbs, (verbs) => verbs.changePassword),
  )
  mountSession(
    app,
    noticesEndpoint,
    whenCalled(listEventsVerbs, (verbs) => verbs.listNotices),
  )
  mountSession(
    app,
    readNoticesEndpoint,
    whenCalled(listEventsVerbs, (verbs) => verbs.readNotices),
  )
  mountSession(
    app,
    signInHistoryEndpoint,
    whenCalled(listEventsVerbs, (verbs) => verbs.listSignIns),
  )
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
