import { expect, test, vi } from 'vitest'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'
import { aMe, aUser } from '../../../tests/stores/samples.ts'
import { meEndpoint } from '../../contract/account.ts'
import { SESSION } from '../../contract/session-messages.ts'
import { logoutEndpoint } from '../../contract/session.ts'
import { usageEndpoint } from '../../contract/usage.ts'

test('without a token the visitor is a guest, and the page makes no call', async () => {
  const { session, server, went } = await createStoreFixture({ guard: 'public' })
  await session.start()
  expect(session.$session.get()).toEqual({ status: 'guest', user: null })
  expect([server.requests, went]).toEqual([[], []])
})

test('a page of an account in the back/forward cache leads to /login once its user has signed out', async () => {
  const { session, environment, went } = await createStoreFixture({ isSignedIn: true })
  environment.storage.removeItem('token')
  await session.start()
  expect(session.$session.get().status).toBe('guest')
  expect(went).toEqual(['/login?next=%2Fdashboard'])
})

test('only a sign-in on this page counts as one, so that its form decides where to go', async () => {
  const { session, environment, server } = await createStoreFixture()
  environment.storage.setItem('token', 'kept')
  server.answer(meEndpoint, aMe())
  await session.start()
  expect(session.hasSignedInHere()).toBe(false)
  session.begin({ token: 'new', user: aUser() })
  expect(session.hasSignedInHere()).toBe(true)
})

test('a browser that keeps no token signs nobody in, and the server ends the session', async () => {
  const { session, environment, server, said } = await createStoreFixture({ guard: 'guest' })
  environment.storage.setItem = () => false
  await session.start()
  server.answer(logoutEndpoint, {})
  expect(session.begin({ token: 'unkept', user: aUser() })).toBe(false)
  expect(session.$session.get().status).toBe('guest')
  expect(said()).toEqual([`error: ${SESSION.storageBlocked}`])
  await expect.poll(() => server.requests[0]?.headers.authorization).toBe('Bearer unkept')
})

test('a public page removes a refused token without a message', async () => {
  const { session, environment, server, token, said, went } = await createStoreFixture({
    guard: 'public',
  })
  environment.storage.setItem('token', 'old')
  server.refuse(meEndpoint, 'UNAUTHENTICATED', 'Please sign in to continue.')
  await session.start()
  expect([token(), session.$session.get().status]).toEqual([null, 'guest'])
  expect([said(), went]).toEqual([[], []])
})

/** A page of somebody whose session the server has ended, and what they do. */
async function endedSession(hash = '') {
  const fixture = await createStoreFixture({ isSignedIn: true, hash })
  const { session, server, environment } = fixture
  server.refuse(usageEndpoint, 'UNAUTHENTICATED', 'Please sign in to continue.')
  const signOutInAnotherTab = async () => {
    environment.storage.removeItem('token')
    await session.followOtherTab(null)
  }
  const call = () => session.call('GET /api/usage', { query: {} })
  return { ...fixture, call, signOutInAnotherTab }
}

// The fragment may be the secret of a mailed link, so it stays out of the query.
test.each(['', '#refund=pur_1.s3cret'])(
  'a session that ends later opens /login, which keeps the fragment "%s" of the page',
  async (hash) => {
    const { call, went, token } = await endedSession(hash)
    await call()
    expect(token()).toBeNull()
    expect(went).toEqual([`/login?next=%2Fdashboard&ended=1${hash}`])
  },
)

test('a late 401 for an older token does not end a newer session', async () => {
  const { session, call, token } = await endedSession()
  const called = call()
  session.begin({ token: 'a-newer-token', user: aUser() })
  await called
  expect(token()).toBe('a-newer-token')
})

test('without a network the page keeps the token, and retries ever less often until the server answers', async () => {
  const { session, environment, server, token, advance } = await createStoreFixture()
  const waits = vi.spyOn(environment.clock, 'after')
  environment.storage.setItem('token', 'kept')
  server.cutOff(meEndpoint)
  await session.start()
  expect([token(), session.$session.get().status]).toEqual(['kept', 'unreachable'])
  await advance(2_000)
  await expect.poll(() => waits.mock.lastCall?.[0]).toBe(4_000)
  server.forget(meEndpoint)
  server.answer(meEndpoint, aMe())
  await advance(4_000)
  await expect.poll(() => session.$session.get().status).toBe('signed-in')
})

test('a page in use stays while a later check gets no answer', async () => {
  const { session, server, advance } = await createStoreFixture({ isSignedIn: true })
  server.forget(meEndpoint)
  server.cutOff(meEndpoint)
  await session.start()
  expect(session.$session.get()).toEqual({ status: 'signed-in', user: aUser() })
  server.forget(meEndpoint)
  server.answer(meEndpoint, aMe(aUser({ username: 'ada_l' })))
  await advance(2_000)
  await expect.poll(() => session.$session.get().user?.username).toBe('ada_l')
})

test('a page of one user, restored for another or after a new sign-in, is loaded again', async () => {
  const { session, environment, server, went } = await createStoreFixture({ isSignedIn: true })
  environment.storage.setItem('token', 'of somebody else')
  await session.start()
  expect([server.requests, went]).toEqual([[], ['/dashboard']])
})

test('a call made while signing out does not open /login', async () => {
  const { session, server, call, went } = await endedSession()
  server.answer(logoutEndpoint, {})
  const leaving = session.signOut()
  await call()
  await leaving
  expect(went).toEqual(['/'])
})

test('signing out in another tab signs out here, and a call made after it opens /login no second time', async () => {
  const { session, call, signOutInAnotherTab, went } = await endedSession()
  await signOutInAnotherTab()
  expect(session.$session.get().status).toBe('guest')
  await call()
  expect(went).toEqual(['/login'])
})

test('an answer that comes after a sign-out shows nobody as signed in', async () => {
  const { session, signOutInAnotherTab } = await endedSession()
  const starting = session.start()
  await signOutInAnotherTab()
  await starting
  expect(session.$session.get()).toEqual({ status: 'guest', user: null })
})

const SIGNED_OUT_HERE =
  'default: You are signed out in this browser, but the server has not confirmed it. Your sessions are listed under Security.'

test('signing out works without the server, and a toast says that the server did not confirm it', async () => {
  const { session, server, token, went, said } = await createStoreFixture({ isSignedIn: true })
  server.cutOff(logoutEndpoint)
  await session.signOut()
  expect([token(), went, said()]).toEqual([null, ['/'], [SIGNED_OUT_HERE]])
})

test('signing out of a session that has ended succeeds', async () => {
  const { session, environment, server, said } = await createStoreFixture({ isSignedIn: true })
  const sent = vi.spyOn(environment, 'call')
  server.refuse(logoutEndpoint, 'UNAUTHENTICATED', 'Please sign in to continue.')
  await session.signOut()
  expect(said()).toEqual(['success: Logged out successfully'])
  // The call outlives the page.
  expect(sent).toHaveBeenCalledWith('POST /api/auth/logout', {
    token: 'the-token',
    keepalive: true,
  })
})

test('signing out removes the token at once and waits 3 seconds for a slow server', async () => {
  const { session, server, token, went, said, advance } = await createStoreFixture({
    isSignedIn: true,
  })
  server.hold(logoutEndpoint)
  const signingOut = session.signOut()
  expect(token()).toBeNull()
  await advance(2_999)
  expect(went).toEqual([])
  await advance(1)
  await signingOut
  expect([went, said()]).toEqual([['/'], [SIGNED_OUT_HERE]])
})

test.each([
  ['', '/dashboard'],
  ['?next=%2Freceipt%3Fid%3D1', '/receipt?id=1'],
])('signing in in another tab leads from /login%s to %s', async (search, path) => {
  const fixture = await createStoreFixture({ guard: 'guest', path: '/login', search })
  const { session, environment, server, went } = fixture
  await session.start()
  server.answer(meEndpoint, aMe())
  environment.storage.setItem('token', 'from the other tab')
  await session.followOtherTab('from the other tab')
  expect(went).toEqual([path])
})
