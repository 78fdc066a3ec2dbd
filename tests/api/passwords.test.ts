import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, inject, test } from 'vitest'
import { users } from '../../edge-api/db/schema/users.ts'
import { FIELD } from '../../src/contract/messages.ts'
import { loginEndpoint, registerEndpoint } from '../../src/contract/session.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember } from '../harness/member.ts'
import { database, mailsTo } from '../harness/stored.ts'
import { newVisitor } from '../harness/visitor.ts'

function newcomer(password = 'Quiet-Otter-42') {
  const username = `n_${randomUUID().slice(0, 20).replaceAll('-', '')}`
  const email = `${username}@example.test`
  return { username, email, password, confirmPassword: password }
}

const visitor = () => newVisitor(inject('siteUrl'))
const JSON_TYPE = { 'content-type': 'application/json' }

test.each([
  ['128 characters', `Aa1${'x'.repeat(125)}`],
  ['blanks and emoji', '  Aa1 🦦 выдра  '],
])('a password of %s registers and signs in exactly as typed', async (_, password) => {
  const person = newcomer(password)
  await askGood(visitor(), registerEndpoint, { body: person })
  const { email } = person
  await askGood(visitor(), loginEndpoint, { body: { email, password } })
  const shorter = { email, password: password.slice(0, -1) }
  expect(bad(await ask(visitor(), loginEndpoint, { body: shorter })).code).toBe(
    'INVALID_CREDENTIALS',
  )
})

test('a common password, or one made of the username, is refused', async () => {
  const person = newcomer()
  const own = `${person.username[0]?.toUpperCase()}${person.username.slice(1)}`
  for (const password of ['Password123', 'Qwerty12', own]) {
    const body = { ...person, password, confirmPassword: password }
    const { status, errors } = bad(await ask(visitor(), registerEndpoint, { body }))
    const msg = FIELD.passwordCommon
    expect({ status, errors }).toEqual({ status: 400, errors: [{ path: 'password', msg }] })
  }
})

test('registering a known address in any spelling is 409 and notifies its owner once', async () => {
  const member = await createMember()
  const spellings = [
    member.email.toUpperCase(),
    ` ${member.email}`,
    member.email.replace('m_', 'ｍ_'),
  ]
  for (const email of spellings) {
    const answer = await ask(visitor(), registerEndpoint, { body: { ...newcomer(), email } })
    expect(bad(answer)).toMatchObject({
      status: 409,
      code: 'EMAIL_TAKEN',
      errors: [{ path: 'email' }],
    })
  }
  const told = await mailsTo(member.email)
  expect(told.map(({ kind }) => kind)).toEqual(['registration_attempt'])
})

test('a username is taken regardless of case', async () => {
  const member = await createMember()
  const body = { ...newcomer(), username: member.username.toUpperCase() }
  expect(bad(await ask(visitor(), registerEndpoint, { body }))).toMatchObject({
    status: 409,
    code: 'USERNAME_TAKEN',
    errors: [{ path: 'username' }],
  })
})

test('twenty registrations at once with one address create one user', async () => {
  const { email } = newcomer()
  const tries = Array.from({ length: 20 }, (_, index) => {
    const cased = index % 2 === 0 ? email : email.toUpperCase()
    return ask(visitor(), registerEndpoint, { body: { ...newcomer(), email: cased } })
  })
  const answers = await Promise.all(tries)
  const statuses = answers.map(({ status }) => status)
  // The rate limit lets ten through for one address; the rest are refused.
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => ![200, 409, 429].includes(status))).toEqual([])
  const db = database()
  const [rows] = await db.batch([db.select().from(users).where(eq(users.emailKey, email))])
  expect(rows).toHaveLength(1)
  const mailed = [...(await mailsTo(email)), ...(await mailsTo(email.toUpperCase()))]
  expect(mailed.filter(({ kind }) => kind === 'verify_address')).toHaveLength(1)
})

test.each([
  ['10,000 levels', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, 400],
  ['10,000 levels in a field', `{"email":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 400],
  ['a key twice', '{"email":"a@example.test","email":7,"password":"Quiet-Otter-42"}', 400],
  ['a NUL', '{"email":"a\\u0000@example.test","password":"Quiet-Otter-42"}', 400],
  ['a lone surrogate', '{"email":"a@example.test","password":"Quiet-\\ud800-42"}', 400],
  [
    'a surrogate in an address',
    '{"email":"\\udc00@example.test","password":"Quiet-Otter-42"}',
    400,
  ],
  ['an empty body', '', 400],
])('a sign-in with %s is refused with 400', async (_, text, status) => {
  const answer = await visitor().call('/api/auth/login', {
    method: 'POST',
    text,
    headers: JSON_TYPE,
  })
  expect(bad(answer).status).toBe(status)
})

test('__proto__ and constructor in a body are refused', async () => {
  const text = `{"__proto__":{"isAdmin":true,"email":"p@example.test"},"constructor":{"prototype":{"isAdmin":true}},"email":"a@example.test","query":"hello"}`
  const answer = await visitor().call(submitTicketEndpoint.path, {
    method: 'POST',
    text,
    headers: JSON_TYPE,
  })
  expect(bad(answer).errors?.map(({ path }) => path)).toEqual(['__proto__', 'constructor'])
})

test('passwords are hashed with the deployed scrypt setting', async () => {
  const person = newcomer()
  const { user } = await askGood(visitor(), registerEndpoint, { body: person })
  const db = database()
  const [rows] = await db.batch([db.select().from(users).where(eq(users.id, user.id))])
  expect(rows[0]?.passwordHash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/)
})
