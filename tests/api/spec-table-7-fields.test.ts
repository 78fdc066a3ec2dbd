import { expect, inject, test } from 'vitest'
import { Failure } from '../../src/contract/endpoint.ts'
import { createMember } from '../harness/member.ts'
import { newVisitor } from '../harness/visitor.ts'

/** Section 7 of the specification: the fields that each body has, typed as they stand there. */
const BODIES = {
  '/api/auth/login': 'email, password',
  '/api/auth/register': 'username, email, password, confirmPassword',
  '/api/auth/forgot-password': 'email',
  '/api/auth/reset-password/x': 'password',
  '/api/subscription/use-tokens': 'amount',
  '/api/payment/create-subscription': 'planType, preferredCurrency',
  '/api/payment/create-order': 'planType, amount, preferredCurrency',
  '/api/payment/create-payment-link': 'planType, amount, description, preferredCurrency',
  '/api/payment/verify-payment': 'orderId, paymentId, signature, planType',
  '/api/payment/create-token-order': 'currency',
  '/api/payment/activate-token-purchase': 'orderId, paymentId, signature',
  '/api/payment/activate-order-public': 'orderId, paymentId, signature',
  '/api/support/submit': 'email, severity, isFeatureRequest, query',
  '/api/careers/apply':
    'fullName, email, phone, linkedinUrl, githubUrl, resumeUrl, currentLocation, workingCountry, workAuthorization, remotePreference, experience, whyJoin, jobId',
}

const isPublic = (path: string) =>
  /^\/api\/(auth|support|careers)\//.test(path) || path.endsWith('-public')

test.each(Object.entries(BODIES))('spec 7: %s reads %s', async (path, list) => {
  const fields = list.split(', ')
  const from = isPublic(path) ? newVisitor(inject('siteUrl')) : await createMember()
  const json = Object.fromEntries(fields.map((field) => [field, { not: 'this' }]))
  const { status, body } = await from.call(path, { json })
  const { errors = [] } = Failure.parse(body)
  expect(status).toBe(400)
  expect([...new Set(errors.map((error) => error.path))].toSorted()).toEqual(fields.toSorted())
})
