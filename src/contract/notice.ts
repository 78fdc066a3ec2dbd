import { defineEndpoint, success } from './endpoint.ts'
import { PAGE_SIZE_MAX } from './limits.ts'
import { Instant } from './text.ts'
import { z } from './zod.ts'

/**
 * The events of an account. The bell shows them, and the sign-in history shows some of them. `sign_in_failed`: a wrong password,
 * also one that was asked for inside a session.
 */
export const AccountEventKind = z.enum([
  'registered',
  'signed_in',
  'signed_in_new_device',
  'sign_in_failed',
  'signed_out',
  'session_ended',
  'email_verified',
  'trial_granted',
  'password_reset_requested',
  'password_reset',
  'password_changed',
  'profile_changed',
  'paid',
  'refund_asked',
  'refunded',
  'disputed',
  'plan_cancelled',
  'plan_reactivated',
  'plan_ending',
  'tokens_low',
  'by_support',
  'device_connected',
  'google_connected',
  'not_me',
  'factor_added',
  'factor_removed',
  'factor_failed',
  'recovery_codes_renewed',
  'recovery_code_used',
  'terms_accepted',
  'data_exported',
  'account_deleted',
])
export type AccountEventKind = z.infer<typeof AccountEventKind>

export const AccountEvent = z.object({
  id: z.string().max(120),
  kind: AccountEventKind,
  /** A sentence for the user. */
  text: z.string().max(300),
  device: z.string().max(200).nullable(),
  isUnread: z.boolean(),
  createdAt: Instant,
})
export type AccountEvent = z.infer<typeof AccountEvent>

export const noticesEndpoint = defineEndpoint({
  id: 'notices',
  method: 'GET',
  path: '/api/auth/notices',
  access: 'session',
  success: success({ notices: z.array(AccountEvent).max(PAGE_SIZE_MAX), unread: z.int() }),
})

export const readNoticesEndpoint = defineEndpoint({
  id: 'readNotices',
  method: 'POST',
  path: '/api/auth/notices/read',
  access: 'session',
  success: success({}),
  limit: 'change',
})

export const signInHistoryEndpoint = defineEndpoint({
  id: 'signInHistory',
  method: 'GET',
  path: '/api/auth/sign-ins',
  access: 'session',
  success: success({ events: z.array(AccountEvent).max(PAGE_SIZE_MAX) }),
})
