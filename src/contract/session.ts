import { SessionKind, User } from './account.ts'
import { defineEndpoint, success } from './endpoint.ts'
import { USERNAME_MAX, USERNAME_MIN } from './limits.ts'
import { FIELD } from './field-messages.ts'
import { PasswordChosen, PasswordTyped } from './password.ts'
import { accountEmail, email, Id, Instant } from './text.ts'
import { z } from './zod.ts'

const SignedIn = success({ token: z.string().max(4_000), expiresAt: Instant, user: User })

export const LoginInput = z.object({
  email: accountEmail(),
  password: PasswordTyped,
  rememberMe: z.boolean().default(false),
})

export const loginEndpoint = defineEndpoint({
  id: 'login',
  method: 'POST',
  path: '/api/auth/login',
  access: 'public',
  body: LoginInput,
  success: SignedIn,
  errors: ['INVALID_CREDENTIALS', 'FACTOR_REQUIRED'],
  limit: 'signIn',
})

export const Username = z
  .string(FIELD.usernameRequired)
  .trim()
  .min(1, FIELD.usernameRequired)
  .refine((name) => name === '' || name.length >= USERNAME_MIN, FIELD.usernameTooShort)
  .max(USERNAME_MAX, FIELD.usernameTooLong)
  .regex(/^[A-Za-z0-9_]*$/, FIELD.usernameCharacters)

export const RegisterInput = z
  .object({
    username: Username,
    // The specification has one message for a missing and for an invalid address.
    email: email(FIELD.emailInvalidOnRegister, FIELD.emailInvalidOnRegister),
    password: PasswordChosen,
    confirmPassword: z
      .string(FIELD.confirmPasswordRequired)
      .min(1, FIELD.confirmPasswordRequired)
      .max(200, FIELD.passwordTooLong),
  })
  .refine((form) => form.password === form.confirmPassword, {
    path: ['confirmPassword'],
    error: FIELD.passwordsDiffer,
    // Compares the passwords even while other fields are invalid. This works only if no field's rule sets `abort`.
    when: ({ value }) =>
      z.object({ password: z.string(), confirmPassword: z.string().min(1) }).safeParse(value)
        .success,
  })

export const registerEndpoint = defineEndpoint({
  id: 'register',
  method: 'POST',
  path: '/api/auth/register',
  access: 'public',
  body: RegisterInput,
  success: SignedIn,
  errors: ['EMAIL_TAKEN', 'USERNAME_TAKEN'],
  limit: 'register',
})

export const logoutEndpoint = defineEndpoint({
  id: 'logout',
  method: 'POST',
  path: '/api/auth/logout',
  access: 'session',
  forApps: true,
  success: success({}),
})

export const Session = z.object({
  id: Id,
  kind: SessionKind,
  device: z.string().max(200),
  createdAt: Instant,
  lastUsedAt: Instant,
  expiresAt: Instant,
  isCurrent: z.boolean(),
})
export type Session = z.infer<typeof Session>

export const sessionsEndpoint = defineEndpoint({
  id: 'sessions',
  method: 'GET',
  path: '/api/auth/sessions',
  access: 'session',
  success: success({ sessions: z.array(Session).max(200) }),
})

export const endSessionEndpoint = defineEndpoint({
  id: 'endSession',
  method: 'DELETE',
  path: '/api/auth/sessions/{id}',
  access: 'session',
  params: z.object({ id: Id }),
  success: success({}),
  errors: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
  limit: 'change',
  limitBy: 'session',
})

export const endOtherSessionsEndpoint = defineEndpoint({
  id: 'endOtherSessions',
  method: 'POST',
  path: '/api/auth/sessions/end-others',
  access: 'session',
  success: success({ ended: z.int() }),
  errors: ['STEP_UP_REQUIRED'],
  limit: 'change',
  limitBy: 'session',
})
