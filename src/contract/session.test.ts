import { expect, test } from 'vitest'
import { exampleOf } from '../../site/openapi/examples.ts'
import { RecoveryCode, TotpCode } from './factor.ts'
import { FIELD } from './field-messages.ts'
import { LoginInput, registerEndpoint, RegisterInput } from './session.ts'
import type { z } from './zod.ts'

const GOOD = Object(exampleOf(registerEndpoint).body)

/** The first message of a field; undefined when it is valid. */
function message(schema: z.ZodType, value: unknown, field: string): string | undefined {
  const issues = schema.safeParse(value).error?.issues ?? []
  return issues.find(({ path }) => path.join('.') === field)?.message
}

test('a valid registration is not changed', () => {
  expect(RegisterInput.parse(GOOD)).toEqual(GOOD)
})

test('usernames of 3 and of 30 characters are accepted', () => {
  for (const username of ['ada', 'a'.repeat(30)]) {
    expect(RegisterInput.parse({ ...GOOD, username }).username).toBe(username)
  }
})

test('a password of more than 128 characters is rejected', () => {
  const wrong = { ...GOOD, password: `Aa1${'x'.repeat(126)}` }
  expect(message(RegisterInput, wrong, 'password')).toBe(FIELD.passwordTooLong)
})

test('a sign-in does not check which characters a password has', () => {
  expect(LoginInput.parse({ email: ' ada@example.com ', password: '      ' })).toEqual({
    email: 'ada@example.com',
    password: '      ',
    rememberMe: false,
  })
})

test('codes are read in any case and spacing, and letters that look like digits as those', () => {
  expect(RecoveryCode.parse(' o123-abcd-il56-789z ')).toBe('0123ABCD1156789Z')
  expect(TotpCode.parse('123 456')).toBe('123456')
  for (const typed of ['１５５１９８', '१५५१९८', '١٥٥١٩٨', '\u200e155\u00a0198\u2060']) {
    expect(TotpCode.parse(typed), typed).toBe('155198')
  }
  expect(RecoveryCode.parse('０１２３－ａｂｃｄ－११५६－789Z')).toBe('0123ABCD1156789Z')
})
