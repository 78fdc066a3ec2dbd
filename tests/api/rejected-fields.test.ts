import { expect, test } from 'vitest'
import { FIELD } from '../../src/contract/field-messages.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { activateOrderPublicEndpoint } from '../../src/contract/purchase.ts'
import { registerEndpoint } from '../../src/contract/session.ts'
import { bad } from '../harness/ask.ts'
import { visitor } from '../harness/visitor.ts'

test('every rule that a body breaks is listed with its field, in the order of the form', async () => {
  const json = { username: 'a-', email: 'ada', password: 'Quiet', confirmPassword: 'Quiet1' }
  const { requestId, ...rejection } = bad(await visitor().call(registerEndpoint.path, { json }))
  expect(requestId).not.toBe('')
  expect(rejection).toEqual({
    status: 400,
    success: false,
    code: 'VALIDATION_FAILED',
    message: SERVER.validation,
    errors: [
      { path: 'username', msg: FIELD.usernameTooShort },
      { path: 'username', msg: FIELD.usernameCharacters },
      { path: 'email', msg: FIELD.emailInvalidOnRegister },
      { path: 'password', msg: FIELD.passwordTooShort },
      { path: 'password', msg: FIELD.passwordNumber },
      { path: 'confirmPassword', msg: FIELD.passwordsDiffer },
    ],
  })
})

test('for a body with two possible shapes, the fields of the nearer one are named', async () => {
  const call = (json: object) => visitor().call(activateOrderPublicEndpoint.path, { json })
  const msg = 'Please send this exactly as Razorpay gave it'
  expect(bad(await call({})).errors).toEqual(
    ['orderId', 'paymentId', 'signature'].map((path) => ({ path, msg })),
  )
  expect(bad(await call({ paymentLinkId: 'plink_EMUa1B2c3D4e5F' })).errors).toHaveLength(3)
})

const JSON_TYPE = { 'content-type': 'application/json' }

test.each([
  ['10,000 levels', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ['10,000 levels in a field', `{"email":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
  ['a key twice', '{"email":"a@example.test","email":7,"password":"Quiet-Otter-42"}'],
  ['a NUL', '{"email":"a\\u0000@example.test","password":"Quiet-Otter-42"}'],
  ['a lone surrogate', '{"email":"a@example.test","password":"Quiet-\\ud800-42"}'],
  ['a surrogate in an address', '{"email":"\\udc00@example.test","password":"Quiet-Otter-42"}'],
  ['an empty body', ''],
])('a sign-in with %s is rejected with 400', async (_, text) => {
  const options = { method: 'POST', text, headers: JSON_TYPE }
  expect(bad(await visitor().call('/api/auth/login', options)).status).toBe(400)
})

test('__proto__ and constructor in a body are rejected', async () => {
  const text = `{"__proto__":{"isAdmin":true,"email":"p@example.test"},"constructor":{"prototype":{"isAdmin":true}},"email":"a@example.test","query":"hello"}`
  const options = { method: 'POST', text, headers: JSON_TYPE }
  const { errors } = bad(await visitor().call('/api/support/submit', options))
  expect(errors?.map(({ path }) => path)).toEqual(['__proto__', 'constructor'])
})
