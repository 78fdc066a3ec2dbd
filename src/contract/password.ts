import { PASSWORD_MAX, PASSWORD_MIN } from './limits.ts'
import { FIELD } from './messages.ts'
import { isStorable } from './text.ts'
import { z } from './zod.ts'

/** The spec's live checklist: what each line says, and the message when it does not hold. */
export const PASSWORD_CHECKLIST = [
  {
    id: 'length',
    label: 'At least 6 characters',
    message: FIELD.passwordTooShort,
    holds: (password: string) => password.length >= PASSWORD_MIN,
  },
  {
    id: 'uppercase',
    label: 'One uppercase letter',
    message: FIELD.passwordUppercase,
    holds: (password: string) => /[A-Z]/.test(password),
  },
  {
    id: 'lowercase',
    label: 'One lowercase letter',
    message: FIELD.passwordLowercase,
    holds: (password: string) => /[a-z]/.test(password),
  },
  {
    id: 'number',
    label: 'One number',
    message: FIELD.passwordNumber,
    holds: (password: string) => /[0-9]/.test(password),
  },
] as const

function bounded() {
  return z
    .string(FIELD.passwordRequired)
    .min(1, FIELD.passwordRequired)
    .max(PASSWORD_MAX, FIELD.passwordTooLong)
    .refine(isStorable, FIELD.text)
}

/** Of no password at all `required` speaks, and nothing else. */
const isLongEnough = (password: string) => password === '' || password.length >= PASSWORD_MIN

/** A password typed to sign in: kept exactly as received, never trimmed. */
export const PasswordTyped = bounded().refine(isLongEnough, FIELD.passwordTooShort)

/** A password chosen at registration: one message for each rule. */
export const PasswordChosen = bounded().check((context) => {
  if (context.value === '') return
  for (const rule of PASSWORD_CHECKLIST) {
    if (!rule.holds(context.value)) {
      context.issues.push({ code: 'custom', message: rule.message, input: context.value })
    }
  }
})

/** A password chosen on the reset form: the composition is one rule with one message. */
export const PasswordReset = bounded()
  .refine(isLongEnough, FIELD.passwordTooShort)
  .refine(
    (password) =>
      password === '' || PASSWORD_CHECKLIST.slice(1).every((rule) => rule.holds(password)),
    FIELD.passwordComposition,
  )
