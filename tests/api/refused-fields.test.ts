import { expect, inject, test } from 'vitest'
import { FIELD, SERVER } from '../../src/contract/messages.ts'
import {
  activateOrderPublicEndpoint,
  createTokenOrderEndpoint,
} from '../../src/contract/purchase.ts'
import { registerEndpoint } from '../../src/contract/session.ts'
import { recordUsageSessionEndpoint } from '../../src/contract/report-usage.ts'
import { bad } from '../harness/ask.ts'
import { createMember } from '../harness/member.ts'
import { newVisitor } from '../harness/visitor.ts'

const visitor = () => newVisitor(inject('siteUrl'))

test('every rule that a body breaks is listed with its field, in the order of the form', async () => {
  const json = { username: 'a-', email: 'ada', password: 'Quiet', confirmPassword: 'Quiet1' }
  const { requestId, ...refusal } = bad(await visitor().call(registerEndpoint.path, { json }))
  expect(requestId).not.toBe('')
  expect(refusal).toEqual({
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

test.each([
  ['/api/subscription/plans?currency=EUR', 'currency', 'Please send one of: USD, INR'],
  ['/api/usage?days=91', 'days', 'Please send a number up to 90'],
  ['/api/usage/ledger?limit=many', 'limit', 'Please send a number'],
  ['/api/payment/purchases?limit=0', 'limit', 'Please send a number from 1'],
])('%s is refused: %s: %s', async (address, path, msg) => {
  const member = await createMember()
  expect(bad(await member.call(address)).errors).toEqual([{ path, msg }])
})

test.each([
  [createTokenOrderEndpoint.path, 'currency', 'EUR', 'Please send one of: USD, INR'],
  [recordUsageSessionEndpoint.path, 'event', 'pause', 'Please send one of: start, end'],
])('%s names the values that %s can have', async (address, path, value, msg) => {
  const member = await createMember()
  const answer = await member.call(address, { json: { [path]: value } })
  expect(bad(answer).errors).toEqual([{ path, msg }])
})

test('of a body with two possible shapes, the fields of the nearer one are named', async () => {
  const call = (json: object) => visitor().call(activateOrderPublicEndpoint.path, { json })
  const msg = 'Please send this exactly as Razorpay gave it'
  expect(bad(await call({})).errors).toEqual(
    ['orderId', 'paymentId', 'signature'].map((path) => ({ path, msg })),
  )
  expect(bad(await call({ paymentLinkId: 'plink_EMUa1B2c3D4e5F' })).errors).toHaveLength(3)
})
