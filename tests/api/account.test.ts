import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { expect, inject, test } from 'vitest'
import { exampleOf } from '../../edge-api/http/openapi/examples.ts'
import {
  meEndpoint,
  ProfileInput,
  updatePreferencesEndpoint,
  updateProfileEndpoint,
} from '../../src/contract/account.ts'
import { AUTH } from '../../src/contract/messages.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { receiptEndpoint, purchasesEndpoint } from '../../src/contract/receipt.ts'
import { loginEndpoint, registerEndpoint } from '../../src/contract/session.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember, type Member, PASSWORD } from '../harness/member.ts'
import { testSecrets } from '../harness/services.ts'
import { mailsTo } from '../harness/stored.ts'
import { newVisitor } from '../harness/visitor.ts'

const visitor = () => newVisitor(inject('siteUrl'))
const [kid = '', secret = ''] = testSecrets.JWT_SECRETS.split(':')

/** A bearer token of this member's session, correctly signed, with claims that we never issue. */
function forgedFor({ userId, sessionId }: Member, claims: Record<string, unknown>) {
  return new SignJWT({ sid: sessionId, ...claims })
    .setProtectedHeader({ alg: 'HS256', kid })
    .setSubject(userId)
    .setIssuer('accounts')
    .setAudience('api')
    .setExpirationTime('10m')
    .sign(new TextEncoder().encode(secret))
}

test('registering and signing in open two sessions of one account', async () => {
  const username = `s_${randomUUID().slice(0, 20).replaceAll('-', '')}`
  const email = `${username}@example.test`
  const person = { username, email, password: PASSWORD, confirmPassword: PASSWORD }
  const registered = await askGood(visitor(), registerEndpoint, { body: person })
  expect(registered.user).toMatchObject({ username, isEmailVerified: false })
  const loggedIn = await askGood(visitor(), loginEndpoint, { body: { email, password: PASSWORD } })
  expect(loggedIn.user.id).toBe(registered.user.id)
  expect(loggedIn.token).not.toBe(registered.token)
})

test('every field of the profile is saved, and an empty one is removed', async () => {
  const member = await createMember()
  const body = ProfileInput.parse(exampleOf(updateProfileEndpoint).body)
  expect(Object.keys(body).toSorted()).toEqual(Object.keys(ProfileInput.shape).toSorted())
  const { user } = await askGood(member, updateProfileEndpoint, { body })
  expect({ ...user, ...user.profile }).toMatchObject(body)
  const { firstName, lastName } = body
  const names = { body: { firstName, lastName } }
  const { user: emptied } = await askGood(member, updateProfileEndpoint, names)
  const absent = Object.keys(body).map((field) => [field, null])
  expect({ ...emptied, ...emptied.profile }).toMatchObject({
    ...Object.fromEntries(absent),
    firstName,
    lastName,
  })
})

test('the profile is saved as typed, without blanks around its texts', async () => {
  const member = await createMember()
  const body = { firstName: ' Ada ', lastName: 'Lovelace', bio: 'one\ntwo', phone: '' }
  const { user, message } = await askGood(member, updateProfileEndpoint, { body })
  expect(message).toBe(AUTH.profileSaved)
  expect(user.phone).toBeNull()
  expect(user.profile).toMatchObject({
    firstName: 'Ada',
    lastName: 'Lovelace',
    fullName: 'Ada Lovelace',
    bio: 'one\ntwo',
  })
})

test('a wrong password is refused in the same words whether or not the address is verified', async () => {
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
      message: AUTH.invalidCredentials,
    })
  }
  // Only the right password reveals that the address was never verified.
  expect((await tryAs(unverified, PASSWORD)).body).toMatchObject({
    user: { isEmailVerified: false },
  })
})

test('no call changes the email address or username of an account', async () => {
  const member = await createMember()
  const other = `other.${member.email}`
  const smuggled = { email: other, emailKey: other, isEmailVerified: false, username: 'other' }
  const profile = { firstName: 'Ada', lastName: 'Lovelace', ...smuggled }
  for (const answer of [
    await ask(member, updateProfileEndpoint, { body: profile }),
    await ask(member, updatePreferencesEndpoint, { body: { theme: 'dark', ...smuggled } }),
  ]) {
    const refused = bad(answer).errors?.map(({ path }) => path)
    expect(refused).toEqual(Object.keys(smuggled))
  }
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

test('no call exchanges a bearer token for another one', async () => {
  const member = await createMember()
  const { body } = await visitor().call('/api/openapi.json')
  const paths: Record<string, Record<string, object>> = Object(body).paths
  const givers = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter((operation) => /"(access_|refresh_)?token":/i.test(JSON.stringify(operation)))
  // The calls that return a token are documented, and none of them takes one.
  expect(givers.map((operation) => Object(operation).operationId)).toContain('login')
  expect(givers.filter((operation) => Object(operation).security?.length > 0)).toEqual([])
  for (const path of ['/api/auth/refresh', '/api/auth/token', '/api/session/refresh']) {
    expect((await member.call(path, { method: 'POST' })).status).toBe(404)
  }
})

test('a role claimed in a bearer token grants nothing', async () => {
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
