import { SignJWT } from 'jose'
import { expect, inject, test } from 'vitest'
import {
  meEndpoint,
  updatePreferencesEndpoint,
  updateProfileEndpoint,
} from '../../src/contract/account.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { receiptEndpoint, purchasesEndpoint } from '../../src/contract/receipt.ts'
import { loginEndpoint } from '../../src/contract/session.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember, type Member, PASSWORD } from '../harness/member.ts'
import { testSecrets } from '../harness/secrets.ts'
import { mailsTo } from '../harness/stored.ts'
import { newVisitor } from '../harness/visitor.ts'

// What the list of checks asks of features that this product does not have: that it has none of them.

const visitor = () => newVisitor(inject('siteUrl'))
const [kid = '', secret = ''] = testSecrets.JWT_SECRETS.split(':')

/** A token of this member's session, well signed, that claims more than any token of ours. */
function forgedFor({ userId, sessionId }: Member, claims: Record<string, unknown>) {
  return new SignJWT({ sid: sessionId, ...claims })
    .setProtectedHeader({ alg: 'HS256', kid })
    .setSubject(userId)
    .setIssuer('sotto')
    .setAudience('sotto-api')
    .setExpirationTime('10m')
    .sign(new TextEncoder().encode(secret))
}

test('S2 an unverified account hears nothing else than others of a wrong password', async () => {
  const [unverified, verified] = [
    await createMember({ isVerified: false }),
    await createMember({ isVerified: true }),
  ]
  const tryAs = async ({ email }: Member, password: string) =>
    ask(visitor(), loginEndpoint, { body: { email, password } })
  for (const member of [unverified, verified]) {
    const { status, code, message } = bad(await tryAs(member, 'Wrong-Otter-42'))
    expect({ status, code, message }).toEqual({
      status: 401,
      code: 'INVALID_CREDENTIALS',
      message: 'Invalid email or password',
    })
  }
  // Only the right password tells that the address was never proven.
  expect((await tryAs(unverified, PASSWORD)).body).toMatchObject({
    user: { isEmailVerified: false },
  })
})

test('R8 no call changes the address of an account', async () => {
  const member = await createMember()
  const other = `other.${member.email}`
  const smuggled = { email: other, emailKey: other, isEmailVerified: false, username: 'other' }
  const profile = { firstName: 'Ada', lastName: 'Lovelace', ...smuggled }
  await askGood(member, updateProfileEndpoint, { body: profile })
  await askGood(member, updatePreferencesEndpoint, { body: { theme: 'dark', ...smuggled } })
  const { user } = await askGood(member, meEndpoint)
  expect(user).toMatchObject({
    email: member.email,
    username: member.username,
    isEmailVerified: true,
  })
  expect(await mailsTo(other)).toEqual([])
  const known = ENDPOINTS.filter(({ access, body }) => access === 'session' && 'shape' in body)
  const changing = known.filter(({ body }) => 'email' in Object(body).shape)
  expect(changing.map(({ id }) => id)).toEqual([])
})

test('J3 no call turns a token into another: there is nothing to refresh', async () => {
  const member = await createMember()
  const { body } = await visitor().call('/api/openapi.json')
  const paths: Record<string, Record<string, object>> = Object(body).paths
  const givers = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter((operation) => /"(access_|refresh_)?token":/i.test(JSON.stringify(operation)))
  // The calls that give a token are there, and none of them takes one.
  expect(givers.map((operation) => Object(operation).operationId)).toContain('login')
  expect(givers.filter((operation) => Object(operation).security?.length > 0)).toEqual([])
  for (const path of ['/api/auth/refresh', '/api/auth/token', '/api/session/refresh']) {
    expect((await member.call(path, { method: 'POST' })).status).toBe(404)
  }
})

test('J7 there is one kind of account: a role in a token opens nothing', async () => {
  const member = await createMember()
  const owner = await createMember({ hasPlan: true })
  const { purchases } = await askGood(owner, purchasesEndpoint)
  const params = { purchaseId: purchases[0]?.purchaseId ?? '' }
  await askGood(owner, receiptEndpoint, { params })
  const bearer = await forgedFor(member, { role: 'admin', isAdmin: true, scope: '*' })
  const asAdmin: Pick<Member, 'call'> = {
    call: (path, options = {}) => visitor().call(path, { ...options, bearer }),
  }
  expect((await askGood(asAdmin, meEndpoint)).user.id).toBe(member.userId)
  expect(bad(await ask(asAdmin, receiptEndpoint, { params })).status).toBe(404)
  for (const path of [
    '/api/admin',
    '/api/admin/users',
    '/api/users',
    `/api/users/${owner.userId}`,
  ]) {
    expect((await asAdmin.call(path)).status).toBe(404)
  }
  const kinds = new Set(ENDPOINTS.map(({ access }) => access))
  expect([...kinds].toSorted()).toEqual(['provider', 'public', 'session'])
})
