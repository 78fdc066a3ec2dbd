import { rowsOf } from '../harness/fixture/rows.ts'
import { createHash } from 'node:crypto'
import { newRegistration } from '../harness/registration.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '../../edge-api/db/schema/users.ts'
import { exampleOf } from '../../site/openapi/examples.ts'
import { ProfileInput, updateProfileEndpoint } from '../../src/contract/account.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { deleteAccountEndpoint } from '../../src/contract/credential.ts'
import { AUTH } from '../../src/contract/messages.ts'
import { loginEndpoint, registerEndpoint } from '../../src/contract/session.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createUser, type TestUser, PASSWORD } from '../harness/user.ts'
import { database, mailsTo } from '../harness/stored.ts'
import { visitor } from '../harness/visitor.ts'

const register = (body: ReturnType<typeof newRegistration>) =>
  ask(visitor(), registerEndpoint, { body })

test('a known address in any spelling is 409 and notifies its owner once, and so is a username in any case', async () => {
  const { email, username } = await createUser()
  for (const spelling of [email.toUpperCase(), ` ${email}`]) {
    expect(bad(await register({ ...newRegistration(), email: spelling }))).toMatchObject({
      status: 409,
      code: 'EMAIL_TAKEN',
      errors: [{ path: 'email' }],
    })
  }
  // It is written after the answer.
  const kinds = async () => (await mailsTo(email)).map(({ kind }) => kind)
  await expect.poll(kinds).toEqual(['registration_attempt'])
  expect(
    bad(await register({ ...newRegistration(), username: username.toUpperCase() })),
  ).toMatchObject({
    status: 409,
    code: 'USERNAME_TAKEN',
    errors: [{ path: 'username' }],
  })
})

test('registrations at once with one address create one account and send one link', async () => {
  const { email } = newRegistration()
  const spellings = [email, email.toUpperCase(), email, email.toUpperCase()]
  const answers = await Promise.all(
    spellings.map((spelling) => register({ ...newRegistration(), email: spelling })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  const db = database()
  const rows = await rowsOf(db, users, eq(users.emailKey, email))
  expect(rows).toHaveLength(1)
  const mailed = (await Promise.all(spellings.slice(0, 2).map((to) => mailsTo(to)))).flat()
  expect(mailed.filter(({ kind }) => kind === 'verify_address')).toHaveLength(1)
})

test('a wrong password is rejected in the same words whether or not the address is verified, and the right one marks the browser', async () => {
  const unverified = await createUser({ isVerified: false })
  const signIn = ({ email }: TestUser, password: string) =>
    ask(visitor(), loginEndpoint, { body: { email, password } })
  for (const user of [unverified, await createUser()]) {
    expect(bad(await signIn(user, 'Wrong-Otter-42'))).toMatchObject({
      status: 401,
      code: 'INVALID_CREDENTIALS',
      message: AUTH.invalidCredentials,
    })
  }
  // Only the right password reveals that the address was never verified.
  const { body, headers } = await signIn(unverified, PASSWORD)
  expect(body).toMatchObject({ user: { isEmailVerified: false } })
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^known_device=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
    ),
  ])
})

test('nobody who reads the cookie of a known browser learns whose it is, and deleting the account takes it away', async () => {
  const owner = await createUser()
  const { email } = owner
  const { headers } = await ask(visitor(), loginEndpoint, { body: { email, password: PASSWORD } })
  const [cookie = ''] = headers.getSetCookie()
  const [pair = ''] = cookie.split(';')
  const read = pair
    .split(/[=.]/)
    .map((part) => Buffer.from(part, 'base64url').toString())
    .join()
  const address = createHash('sha256').update(email).digest('hex')
  for (const secret of [address, 'email', 'credential']) expect(read).not.toContain(secret)
  const someoneElse = await createUser()
  for (const [user, answer] of [
    [someoneElse, []],
    [owner, [expect.stringMatching(/^known_device=; Max-Age=0;/)]],
  ] as const) {
    const body = { password: PASSWORD }
    const deleted = await ask(user, deleteAccountEndpoint, { body, headers: { cookie: pair } })
    expect(deleted.status).toBe(200)
    expect(deleted.headers.getSetCookie()).toEqual(answer)
  }
})

test('every field of the profile is saved without blanks around it, one that is left out stays, and an empty one is removed', async () => {
  const user = await createUser()
  const example = ProfileInput.parse(exampleOf(updateProfileEndpoint).body)
  expect(Object.keys(example).toSorted()).toEqual(Object.keys(ProfileInput.shape).toSorted())
  const body = { ...example, firstName: ' Ada ' }
  const saved = await askGood(user, updateProfileEndpoint, { body })
  expect(saved.message).toBe(AUTH.profileSaved)
  expect({ ...saved.user, ...saved.user.profile }).toMatchObject({ ...example, firstName: 'Ada' })
  const names = { firstName: 'Ada', lastName: 'Lovelace' }
  const left = (await askGood(user, updateProfileEndpoint, { body: names })).user
  expect({ ...left, ...left.profile }).toMatchObject({ ...example, ...names })
  const fields = Object.keys(example)
  const empty = { ...Object.fromEntries(fields.map((field) => [field, ''])), ...names }
  const emptied = (await askGood(user, updateProfileEndpoint, { body: empty })).user
  expect({ ...emptied, ...emptied.profile }).toMatchObject({
    ...Object.fromEntries(fields.map((field) => [field, null])),
    ...names,
  })
})

test('no call changes the email address or username of an account', () => {
  const changing = ENDPOINTS.filter(
    ({ access, body }) =>
      access === 'session' &&
      'shape' in body &&
      ['email', 'username'].some((field) => field in Object(body).shape),
  )
  expect(changing.map(({ id }) => id)).toEqual([])
})
