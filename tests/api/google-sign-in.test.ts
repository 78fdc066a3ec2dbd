import { expect, inject, test } from 'vitest'
import {
  codeOf,
  type GooglePerson,
  locationOf,
  newPerson,
  newTraveller,
  useGoogleSite,
} from '../harness/google.ts'
import { eq } from 'drizzle-orm'
import { users } from '../../edge-api/db/schema/users.ts'
import { mails } from '../../edge-api/db/schema/records.ts'
import { changePasswordEndpoint, deleteAccountEndpoint } from '../../src/contract/credential.ts'
import { googleFinishEndpoint, NO_PASSWORD } from '../../src/contract/google.ts'
import { noticesEndpoint } from '../../src/contract/notice.ts'
import { loginEndpoint } from '../../src/contract/session.ts'
import { ask, askGood, good } from '../harness/ask.ts'
import { createMember } from '../harness/member.ts'
import { TRIPS_OF_JOURNEYS, tripsOf } from '../harness/trips.ts'
import { newVisitor } from '../harness/visitor.ts'
import { startWorker } from '../harness/services.ts'
import { createWorld } from '../harness/world/world.ts'

const site = useGoogleSite()

test('without a client id Google is not offered, and its addresses redirect with a sentence', async () => {
  const visitor = newVisitor(inject('siteUrl'))
  expect((await visitor.call('/api/auth/providers')).body).toEqual({ success: true, google: false })
  const answer = await visitor.call('/api/auth/google/start')
  expect(answer.status).toBe(302)
  expect(locationOf(answer)).toBe('/login?problem=google_unavailable')
})

test('the start redirects to the provider with PKCE, state, nonce and an HttpOnly cookie', async () => {
  const traveller = newTraveller(site.url)
  expect((await traveller.call('/api/auth/providers')).body).toEqual({
    success: true,
    google: true,
  })
  const answer = await traveller.call('/api/auth/google/start?next=/subscription')
  const { searchParams, origin, pathname } = new URL(locationOf(answer))
  expect(origin + pathname).toBe(`${site.google.url}/authorize`)
  expect(Object.fromEntries(searchParams)).toMatchObject({
    client_id: 'emulator',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: `${site.url}/api/auth/google/callback`,
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(answer.headers.getSetCookie().join()).toMatch(
    /^google_transaction=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
  )
})

test('behind https the cookie is Secure and belongs to this host alone', async () => {
  const secure = await startWorker({
    databaseUrl: inject('databaseUrl'),
    emulatorUrl: inject('emulatorUrl'),
    vars: { ...site.google.vars, PUBLIC_ORIGIN: 'https://sotto.example' },
  })
  const answer = await newVisitor(secure.url).call('/api/auth/google/start')
  await secure.stop()
  expect(answer.headers.getSetCookie().join()).toMatch(
    /^__Host-google_transaction=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
})

test('a new person gets a verified account with their name and without a password', async () => {
  const person = newPerson({ name: 'Zoë O’Neil', email: `Zoe.${Date.now()}@Example.test` })
  const traveller = newTraveller(site.url)
  const login = await traveller.arrive(person, '/subscription?plan=pro')
  expect(login).toMatch(/^\/login#google=[\w-]{43}&next=%2Fsubscription%3Fplan%3Dpro$/)
  const { status, body } = await traveller.finish(codeOf(login))
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      success: true,
      message: 'Login successful!',
      token: expect.any(String),
      expiresAt: expect.any(String),
      user: {
        username: expect.stringMatching(/^zoe_oneil/),
        email: person.email,
        isEmailVerified: true,
        firstName: 'Zoë',
        lastName: 'O’Neil',
        unreadNotices: 1,
      },
    },
  })
})

test('a sign-in with Google takes its number of round trips', async () => {
  const person = newPerson()
  await signIn(person)
  for (const somebody of [person, newPerson()]) {
    const traveller = newTraveller(site.url)
    const googleStart = tripsOf(await traveller.call('/api/auth/google/start'))
    const back = await traveller.call(await traveller.agree(somebody))
    const finished = await traveller.finish(codeOf(locationOf(back)))
    const measured = { googleStart, googleCallback: tripsOf(back), googleFinish: tripsOf(finished) }
    expect(TRIPS_OF_JOURNEYS).toMatchObject(measured)
  }
})

test('the same Google account signs in to its account again, even after its address changed', async () => {
  const person = newPerson()
  const first = await signIn(person)
  const moved = { ...person, email: `moved.${person.email}`, email_verified: false }
  const second = await signIn(moved)
  expect(second.user).toMatchObject({ id: first.user.id, email: person.email })
})

test('two people with one name get two usernames', async () => {
  const name = `Same Name ${Date.now()}`
  const twins = [newPerson({ name }), newPerson({ name })]
  const [one, other] = await Promise.all(twins.map(signIn))
  expect(one?.user.username).toMatch(/^same_name_/)
  expect(other?.user.username).toMatch(/^same_name_/)
  expect(one?.user.username).not.toBe(other?.user.username)
})

test('one Google account in three windows at once creates one account', async () => {
  const person = newPerson()
  const answers = await Promise.all([person, person, person].map(signIn))
  expect(new Set(answers.map(({ user }) => user.id)).size).toBe(1)
})

test('a verified account with the same address is joined, keeps a password set with a mailed link and notifies its owner', async () => {
  const member = await createMember({ siteUrl: site.url })
  const { db } = createWorld().ctx()
  await db.batch([
    db.update(users).set({ isPasswordProven: true }).where(eq(users.id, member.userId)),
  ])
  const { user } = await signIn(newPerson({ email: member.email.toUpperCase() }))
  expect(user).toMatchObject({ id: member.userId, email: member.email })
  const { notices } = await askGood(member, noticesEndpoint)
  expect(notices.map(({ kind }) => kind)).toContain('google_connected')
  const [sent] = await db.batch([
    db.select({ kind: mails.kind }).from(mails).where(eq(mails.userId, member.userId)),
  ])
  expect(sent.map(({ kind }) => kind)).toContain('google_connected')
  const { email, password } = member
  await askGood(newVisitor(site.url), loginEndpoint, { body: { email, password } })
})

test('an account whose address was never verified is not joined until it is', async () => {
  const member = await createMember({ siteUrl: site.url, isVerified: false })
  const person = newPerson({ email: member.email })
  expect(await newTraveller(site.url).arrive(person, '/profile')).toBe(
    '/login?problem=google_verify_first&next=%2Fprofile',
  )
  const { db, now } = createWorld().ctx()
  const isTheirs = eq(users.id, member.userId)
  const [before] = await db.batch([db.select().from(users).where(isTheirs)])
  expect(before[0]).toMatchObject({ googleSubject: null, emailVerifiedAt: null })
  await db.batch([db.update(users).set({ emailVerifiedAt: now }).where(isTheirs)])
  expect((await signIn(person)).user.id).toBe(member.userId)
})

test('an account that is connected to one Google account is not joined by another', async () => {
  const person = newPerson()
  await signIn(person)
  const other = newPerson({ email: person.email })
  expect(await newTraveller(site.url).arrive(other)).toBe('/login?problem=google_other_account')
})

test('an address that Google has not verified creates and joins nothing', async () => {
  const member = await createMember({ siteUrl: site.url })
  for (const email of [member.email, newPerson().email]) {
    const person = newPerson({ email, email_verified: false })
    expect(await newTraveller(site.url).arrive(person)).toBe('/login?problem=google_unverified')
  }
})

test('an account without a password says how to set one before changing it or deleting the account', async () => {
  const { token } = await signIn(newPerson())
  const visitor = newVisitor(site.url)
  const owner: typeof visitor = {
    ...visitor,
    call: (path, options = {}) => visitor.call(path, { bearer: token, ...options }),
  }
  const refused = { status: 400, body: { code: 'WRONG_PASSWORD', message: NO_PASSWORD } }
  const body = { currentPassword: 'Any-Thing-1', newPassword: 'Louder-Otter-43' }
  expect(await ask(owner, changePasswordEndpoint, { body })).toMatchObject(refused)
  const typed = { password: 'Any-Thing-1' }
  expect(await ask(owner, deleteAccountEndpoint, { body: typed })).toMatchObject(refused)
})

test('cancelling at Google redirects to /login with a sentence and the page to return to', async () => {
  const traveller = newTraveller(site.url)
  const start = await traveller.call('/api/auth/google/start?next=/profile')
  const state = new URL(locationOf(start)).searchParams.get('state') ?? ''
  const answer = await traveller.call(
    `/api/auth/google/callback?error=access_denied&state=${state}`,
  )
  expect(locationOf(answer)).toBe('/login?problem=google_cancelled&next=%2Fprofile')
})

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/ok\\..\\evil',
  'javascript:alert(1)',
  '/a b',
])('a next that leads elsewhere is dropped: %s', async (next) => {
  expect(await newTraveller(site.url).arrive(newPerson(), next)).toMatch(/^\/login#google=[\w-]+$/)
})

async function signIn(person: GooglePerson) {
  return good(googleFinishEndpoint, await newTraveller(site.url).signIn(person))
}
