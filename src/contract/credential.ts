import { defineEndpoint, success } from './endpoint.ts'
import { SECRET_LINK_MAX } from './limits.ts'
import { PasswordChosen, PasswordReset, PasswordTyped } from './password.ts'
import { accountEmail } from './text.ts'
import { z } from './zod.ts'

/** The secret in a mailed link: 256 random bits in base64url. Mail programs and people put marks behind it. */
export const LinkSecret = z
  .string()
  .overwrite((typed) => typed.replace(/([\w-])[^\w-].*$/s, '$1'))
  .min(1)
  .max(SECRET_LINK_MAX)
const SecretLink = z.object({ token: LinkSecret })

export const ForgotPasswordInput = z.object({ email: accountEmail() })

export const forgotPasswordEndpoint = defineEndpoint({
  id: 'forgotPassword',
  method: 'POST',
  path: '/api/auth/forgot-password',
  access: 'public',
  body: ForgotPasswordInput,
  success: success({}),
  limit: 'mail',
})

export const checkResetLinkEndpoint = defineEndpoint({
  id: 'checkResetLink',
  method: 'GET',
  path: '/api/auth/reset-password/{token}',
  access: 'public',
  params: SecretLink,
  /** Whose password the link sets: password managers store it under this address. */
  success: success({ email: z.string() }),
  errors: ['LINK_INVALID'],
  limit: 'link',
})

export const resetPasswordEndpoint = defineEndpoint({
  id: 'resetPassword',
  method: 'POST',
  path: '/api/auth/reset-password/{token}',
  access: 'public',
  params: SecretLink,
  body: z.object({ password: PasswordReset }),
  success: success({}),
  errors: ['LINK_INVALID'],
  limit: 'link',
})

export const notMeEndpoint = defineEndpoint({
  id: 'notMe',
  method: 'POST',
  path: '/api/auth/not-me/{token}',
  access: 'public',
  params: SecretLink,
  success: success({}),
  errors: ['LINK_INVALID'],
  limit: 'link',
})

export const verifyEmailEndpoint = defineEndpoint({
  id: 'verifyEmail',
  method: 'GET',
  path: '/api/auth/verify-email/{token}',
  access: 'public',
  params: SecretLink,
  /** The address, and the tokens to try the app, if they came with it; else 0. */
  success: success({ email: z.string(), trialTokens: z.int() }),
  errors: ['LINK_INVALID'],
  limit: 'link',
})

export const resendVerificationEndpoint = defineEndpoint({
  id: 'resendVerification',
  method: 'POST',
  path: '/api/auth/resend-verification',
  access: 'session',
  success: success({}),
  limit: 'mail',
})

export const ChangePasswordInput = z.object({
  currentPassword: PasswordTyped,
  newPassword: PasswordChosen,
})

export const changePasswordEndpoint = defineEndpoint({
  id: 'changePassword',
  method: 'POST',
  path: '/api/auth/change-password',
  access: 'session',
  body: ChangePasswordInput,
  success: success({}),
  errors: ['WRONG_PASSWORD'],
  limit: 'signIn',
  limitBy: 'session',
})

export const deleteAccountEndpoint = defineEndpoint({
  id: 'deleteAccount',
  method: 'POST',
  path: '/api/auth/delete-account',
  access: 'session',
  /** An account without a password is deleted without one, after a confirmation. */
  body: z.object({ password: PasswordTyped.optional() }),
  success: success({}),
  errors: ['WRONG_PASSWORD', 'STEP_UP_REQUIRED'],
  limit: 'signIn',
  limitBy: 'session',
})
