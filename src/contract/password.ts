import { PASSWORD_MAX, PASSWORD_MIN } from './limits.ts'
import { FIELD } from './field-messages.ts'
import { isStorable } from './text.ts'
import { z } from './zod.ts'

/** The rules of a new password: the line of the checklist, and the message when the rule is broken. */
const PASSWORD_RULES = [
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

/** Which rules a password satisfies, in the order of the checklist. */
export function checkPassword(password: string) {
  return PASSWORD_RULES.map(({ id, label, holds }) => ({ id, label, holds: holds(password) }))
}

function bounded() {
  return z
    .string(FIELD.passwordRequired)
    .min(1, FIELD.passwordRequired)
    .max(PASSWORD_MAX, FIELD.passwordTooLong)
    .refine(isStorable, FIELD.text)
}

/** An empty password passes, because it already gets the message "Password is required". */
const isLongEnough = (password: string) => password === '' || password.length >= PASSWORD_MIN

/** The password of a sign-in. It is never trimmed. */
export const PasswordTyped = bounded().refine(isLongEnough, FIELD.passwordTooShort)

/** A password chosen at registration: one message for each broken rule. */
export const PasswordChosen = bounded().check((context) => {
  if (context.value === '') return
  for (const rule of PASSWORD_RULES) {
    if (!rule.holds(context.value)) {
      context.issues.push({ code: 'custom', message: rule.message, input: context.value })
    }
  }
})

/** A password chosen on the reset form: one message for all rules about characters. */
export const PasswordReset = bounded()
  .refine(isLongEnough, FIELD.passwordTooShort)
  .refine(
    (password) => password === '' || PASSWORD_RULES.slice(1).every((rule) => rule.holds(password)),
    FIELD.passwordComposition,
  )
