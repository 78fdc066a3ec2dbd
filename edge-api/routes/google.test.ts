import { expect, test } from 'vitest'
import { googleFinishEndpoint, googleStartEndpoint } from '../../src/contract/google.ts'
import { createAccount } from '#harness/fixture/account.ts'
import { appCaller } from '#harness/fixture/app-caller.ts'
import { createFixture, withEachBatch } from '#harness/fixture/fixture.ts'
import { locationOf, newTraveller } from '#harness/google.ts'
import type { Answer } from '#harness/visitor.ts'
import { createApp } from '../app.ts'
import { DatabaseBusy } from '../db/database-error.ts'
import type { Context } from '../domain/context.ts'
import { storeGoogleTicket, newGoogleTicket } from '../domain/sign-in/google-ticket.ts'

const allow = () => Promise.resolve(true)

test('behind https the cookie is Secure and belongs to this host alone', async () => {
  const identity = {
    authorizationUrl: () => 'https://accounts.example/',
    identify: () => Promise.reject(new Error('nobody came back')),
  }
  const ctx = { ...createFixture({ identity }).ctx(), origin: 'https://sotto.example' }
  const answer = await createApp().request(googleStartEndpoint.path, {}, { ctx, allow })
  expect(answer.headers.getSetCookie().join()).toMatch(
    /^__Host-google_transaction_[\w-]{16}=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
})

test('the browser keeps its pass while the database is busy, and loses it with a final answer', async () => {
  const ctx = createFixture().ctx()
  const subject = ctx.newId('usr')
  await createAccount(ctx, { googleSubject: subject })
  const { code, secret, hash } = await newGoogleTicket(ctx)
  await ctx.db.batch([storeGoogleTicket(ctx, { hash, subject })])
  const name = `google_pass_${code.slice(0, 16)}`
  const finish = async (services: Context) => {
    const headers = { 'content-type': 'application/json', cookie: `${name}=${secret}` }
    const init = { method: 'POST', body: JSON.stringify({ code }), headers }
    const answer = await createApp().request(googleFinishEndpoint.path, init, {
      ctx: services,
      allow,
    })
    const cookies = answer.headers.getSetCookie()
    return [answer.status, cookies.filter((line) => line.startsWith(name))]
  }
  const busy = withEachBatch(ctx.db, () => {
    throw new DatabaseBusy('too much to do')
  })
  const deleted = [`${name}=; Max-Age=0; Path=/`]
  expect(await finish({ ...ctx, db: busy })).toEqual([503, []])
  expect(await finish(ctx)).toEqual([200, deleted])
  expect(await finish(ctx)).toEqual([400, deleted])
})

/** A browser that signs in with Google in several tabs, and a Google that lets everybody in. */
function browserWithTabs(mayCall = () => true) {
  const fixture = createFixture({
    identity: {
      authorizationUrl: ({ state }) => `https://accounts.example/?state=${state}`,
      identify: () =>
        Promise.resolve({
          subject: fixture.ctx().newId('sub'),
          email: `${fixture.ctx().newId('usr')}@example.test`,
          isEmailVerified: true,
          name: 'Ada',
          firstName: null,
          lastName: null,
        }),
    },
  })
  const allow = () => Promise.resolve(mayCall())
  return newTraveller('', appCaller(fixture, { allow }))
}

const stateIn = (answer: Answer) => new URL(locationOf(answer)).searchParams.get('state') ?? ''
const BACK = '/api/auth/google/callback?code=c&state='

test('two tabs that start together both come back, each to its next, and a stray return ends neither', async () => {
  const { call } = browserWithTabs()
  const starts = await Promise.all(
    ['/tokens', '/device'].map((next) => call(`${googleStartEndpoint.path}?next=${next}`)),
  )
  for (const stray of ['', 'stray']) {
    expect(locationOf(await call(BACK + stray))).toBe('/login?problem=google_expired')
  }
  const returns = await Promise.all(starts.map((start) => call(BACK + stateIn(start))))
  expect(returns.map(locationOf)).toEqual([
    expect.stringMatching(/^\/login#google=[\w-]+&next=%2Ftokens$/),
    expect.stringMatching(/^\/login#google=[\w-]+&next=%2Fdevice$/),
  ])
})

test('a browser has five sign-ins under way at most', async () => {
  const { cookies, call } = browserWithTabs()
  for (let tab = 0; tab < 8; tab += 1) await call(googleStartEndpoint.path)
  expect(cookies.size).toBe(5)
})

test('a start or a return over the limit keeps where it leads', async () => {
  let isAllowed = false
  const { call } = browserWithTabs(() => isAllowed)
  const start = `${googleStartEndpoint.path}?next=/tokens`
  const busy = '/login?problem=google_busy&next=%2Ftokens'
  expect(locationOf(await call(start))).toBe(busy)
  const elsewhere = await call(`${googleStartEndpoint.path}?next=//evil.example`)
  expect(locationOf(elsewhere)).toBe('/login?problem=google_busy')
  isAllowed = true
  const state = stateIn(await call(start))
  isAllowed = false
  expect(locationOf(await call(BACK + state))).toBe(busy)
  isAllowed = true
  expect(locationOf(await call(BACK + state))).toMatch(/^\/login#google=/)
})
