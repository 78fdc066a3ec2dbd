import { DEFAULT_CURRENCY } from './kinds.ts'
import { Currency } from './currency.ts'
import { defineEndpoint, success } from './endpoint.ts'
import { BIO_MAX, EMAIL_MAX, NAME_MAX, PHONE_MAX, USERNAME_MAX } from './limits.ts'
import { FIELD } from './field-messages.ts'
import { Id, Instant, phone, text } from './text.ts'
import { z } from './zod.ts'

/**
 * The status of the plan, now. `inactive`: none was paid, or it ended. `active`: also after the user cancelled it, until it ends.
 * `cancelled`: it ended, and the user had cancelled it. `past_due`: its refund was requested, or its payment refunded in full or
 * disputed, so that it does not count.
 */
export const SubscriptionStatus = z.enum(['inactive', 'active', 'past_due', 'cancelled'])
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>

export const Subscription = z.object({
  status: SubscriptionStatus,
  plan: z.string().max(40).nullable(),
  currentPeriodStart: Instant.nullable(),
  currentPeriodEnd: Instant.nullable(),
  /** True when the user has cancelled the plan; it stays active until its period ends. */
  cancelAtPeriodEnd: z.boolean(),
  /** Since when it is `past_due`: the `reversedAt` of its purchase. */
  takenBackAt: Instant.nullable(),
})
export type Subscription = z.infer<typeof Subscription>

export const Tokens = z.object({ used: z.int(), total: z.int() })
export type Tokens = z.infer<typeof Tokens>

export const Theme = z.enum(['system', 'light', 'dark'])

/**
 * Settings of an account. The mails listed here are optional; the others are always sent. Mails about passwords, sessions
 * and money cannot be switched off.
 */
export const PreferencesInput = z.object({
  theme: Theme,
  currency: Currency,
  mailReminders: z.boolean(),
})
/** Only the currency in which prices are shown first; an old page may not know it. */
export const Preferences = PreferencesInput.extend({ currency: Currency.catch(DEFAULT_CURRENCY) })
export type Preferences = z.infer<typeof Preferences>

/** What users say about themselves, besides username and addresses. A new field is also in `ProfileInput`. */
export const Profile = z.object({
  firstName: z.string().max(NAME_MAX).nullable(),
  lastName: z.string().max(NAME_MAX).nullable(),
  fullName: z
    .string()
    .max(2 * NAME_MAX + 1)
    .nullable(),
  bio: z.string().max(BIO_MAX).nullable(),
})

export const User = z.object({
  id: Id,
  username: z.string().max(USERNAME_MAX),
  email: z.string().max(EMAIL_MAX),
  isEmailVerified: z.boolean(),
  createdAt: Instant,
  phone: z.string().max(PHONE_MAX).nullable(),
  firstName: z.string().max(NAME_MAX).nullable(),
  lastName: z.string().max(NAME_MAX).nullable(),
  profile: Profile,
  subscription: Subscription.omit({ currentPeriodStart: true }),
  tokens: Tokens,
  preferences: Preferences,
  unreadNotices: z.int(),
  /** For whom receipts are made out, where tax is charged; null until the user says. */
  billing: z
    .object({
      place: z.string().max(2),
      name: z.string().max(120),
      address: z.string().max(300),
      gstin: z.string().max(15),
    })
    .nullable(),
  /** True once new terms were announced to the account long enough ago and it has not accepted them. */
  mustAcceptTerms: z.boolean(),
})
export type User = z.infer<typeof User>

/** No session is left out of a list because its kind is newer than the page. */
export const SessionKind = z.enum(['browser', 'desktop']).catch('browser')

export const meEndpoint = defineEndpoint({
  id: 'me',
  method: 'GET',
  path: '/api/auth/me',
  access: 'session',
  forApps: true,
  success: success({
    user: User,
    /** The session of the bearer token. A desktop app's session ends later each time the app is used. */
    session: z.object({ kind: SessionKind, expiresAt: Instant }),
  }),
})

/** What users may change about themselves; what is left out stays. Each field is the column of the same name in `users`. */
export const ProfileInput = z.object({
  firstName: text({
    max: NAME_MAX,
    required: FIELD.firstNameRequired,
    tooLong: FIELD.firstNameTooLong,
  }),
  lastName: text({
    max: NAME_MAX,
    required: FIELD.lastNameRequired,
    tooLong: FIELD.lastNameTooLong,
  }),
  bio: text({ max: BIO_MAX, tooLong: FIELD.bioTooLong, oneLine: false }).optional(),
  phone: phone({ max: PHONE_MAX }).optional(),
})

export const updateProfileEndpoint = defineEndpoint({
  id: 'updateProfile',
  method: 'PATCH',
  path: '/api/auth/profile',
  access: 'session',
  body: ProfileInput,
  success: success({ user: User }),
  limit: 'change',
})

export const updatePreferencesEndpoint = defineEndpoint({
  id: 'updatePreferences',
  method: 'PATCH',
  path: '/api/auth/preferences',
  access: 'session',
  body: PreferencesInput.partial(),
  success: success({ user: User }),
  limit: 'change',
})

export const acceptTermsEndpoint = defineEndpoint({
  id: 'acceptTerms',
  method: 'POST',
  path: '/api/auth/accept-terms',
  access: 'session',
  success: success({ user: User }),
  limit: 'change',
})
