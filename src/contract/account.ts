import { Currency } from './catalogue.ts'
import { defineEndpoint, success } from './endpoint.ts'
import { BIO_MAX, EMAIL_MAX, NAME_MAX, PHONE_MAX, USERNAME_MAX } from './limits.ts'
import { FIELD, VALUE } from './messages.ts'
import { Id, Instant, text } from './text.ts'
import { z } from './zod.ts'

export const SubscriptionStatus = z.enum(['active', 'inactive', 'past_due', 'cancelled'])
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>

export const Tokens = z.object({ used: z.int(), total: z.int() })
export type Tokens = z.infer<typeof Tokens>

export const Theme = z.enum(['system', 'light', 'dark'])
export type Theme = z.infer<typeof Theme>

/**
 * Settings of an account. The mails listed here are optional; the others are always sent. Mails about passwords, sessions
 * and disputed money cannot be switched off.
 */
export const Preferences = z.object({
  theme: Theme,
  currency: Currency,
  mailReceipts: z.boolean(),
  mailReminders: z.boolean(),
})
export type Preferences = z.infer<typeof Preferences>

/** What the account says about its user, besides username and addresses. A new field is also in `ProfileInput`. */
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
  subscription: z.object({
    status: SubscriptionStatus,
    plan: z.string().max(40).nullable(),
    currentPeriodEnd: Instant.nullable(),
    /** True when the user has cancelled the plan; it stays active until its period ends. */
    cancelAtPeriodEnd: z.boolean(),
  }),
  tokens: Tokens,
  preferences: Preferences,
  unreadNotices: z.int(),
})
export type User = z.infer<typeof User>

export const meEndpoint = defineEndpoint({
  id: 'me',
  method: 'GET',
  path: '/api/auth/me',
  access: 'session',
  success: success({ user: User }),
})

/** What users may change about themselves. Each field is the column of the same name in `users`. */
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
  bio: text({ max: BIO_MAX, tooLong: FIELD.bioTooLong, oneLine: false }).default(''),
  phone: text({ max: PHONE_MAX })
    .regex(/^[0-9+()\-. ]*$/, VALUE.phone)
    .default(''),
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
  body: Preferences.partial(),
  success: success({ user: User }),
  limit: 'change',
})
