import { expect, test } from 'vitest'
import { GOOGLE_PROBLEMS, googleFinishEndpoint, providersEndpoint } from '../../contract/google.ts'
import { createGoogleSignIn } from './google-sign-in.ts'
import { aUser } from '../../../tests/stores/samples.ts'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'

const user = aUser()
const SIGNED_IN = { token: 't', expiresAt: user.createdAt, user }

/** The page to sign in on, as its address says. */
async function openPage({ search = '', hash = '' }) {
  const fixture = await createStoreFixture({ path: '/login', search, hash, guard: 'guest' })
  const google = createGoogleSignIn()
  return { ...fixture, google, state: () => google.$google.get() }
}

test('when Google sign-in is on, the button opens Google once and passes on the page to return to', async () => {
  const { server, google, went, state } = await openPage({
    search: '?next=%2Fprofile%3Ftab%3Dsecurity',
  })
  server.answer(providersEndpoint, { google: true })
  await Promise.all([google.leave(), google.leave()])
  await google.leave()
  expect(went).toEqual(['/api/auth/google/start?next=%2Fprofile%3Ftab%3Dsecurity'])
  expect(state().step).toBe('leaving')
})

test('without a network a toast shows the failure, and the button works again', async () => {
  const { server, google, state, said } = await openPage({})
  server.cutOff(providersEndpoint)
  await google.leave()
  expect(state().step).toBe('idle')
  expect(said()).toEqual([
    'error: We cannot reach the server. Check your connection and try again.',
  ])
})

test('a return from Google never opens another site', async () => {
  const { server, google, went } = await openPage({
    hash: '#google=c0de&next=/.//evil.example',
  })
  server.answer(googleFinishEndpoint, SIGNED_IN)
  await google.handleReturn()
  expect(went).toEqual(['/dashboard'])
})

test('a return from Google to a browser that keeps no token stays on the page', async () => {
  const { server, environment, google, state, went } = await openPage({ hash: '#google=c0de' })
  environment.storage.setItem = () => false
  server.answer(googleFinishEndpoint, SIGNED_IN)
  await google.handleReturn()
  expect([went, state().step]).toEqual([[], 'idle'])
})

test('a return from Google opens the mailed link that was followed, and its secret stays in the browser', async () => {
  const { server, google, went, address, environment } = await openPage({
    search: '?next=%2Fprofile%3Ftab%3Dsubscription',
    hash: '#refund=pur_1.s3cret',
  })
  server.answer(providersEndpoint, { google: true })
  server.answer(googleFinishEndpoint, SIGNED_IN)
  await google.leave()
  const comeBack = async (next: string) => {
    address.hash = `#google=c0de&next=${next}`
    await google.handleReturn()
  }
  await comeBack('/profile?tab=subscription')
  expect(went).toEqual([
    '/api/auth/google/start?next=%2Fprofile%3Ftab%3Dsubscription',
    '/profile?tab=subscription#refund=pur_1.s3cret',
  ])
  expect(environment.tabStorage.getItem('came-for')).toBeNull()
  address.hash = '#refund=pur_1.s3cret'
  google.becomeIdle()
  await google.leave()
  await comeBack('/profile')
  expect(went.at(-1)).toBe('/profile')
})

test('a return from Google that does not finish keeps where it was to lead', async () => {
  const { server, google, went, address, environment } = await openPage({
    hash: '#google=c0de&next=/profile?tab%3Dsubscription',
  })
  const path = '/profile?tab=subscription#refund=pur_1.s3cret'
  environment.tabStorage.setItem('came-for', path)
  server.cutOff(googleFinishEndpoint)
  server.answer(googleFinishEndpoint, SIGNED_IN)
  await google.handleReturn()
  expect([went, address.search]).toEqual([[], '?next=%2Fprofile%3Ftab%3Dsubscription'])
  address.hash = '#google=an0ther'
  await google.handleReturn()
  expect(went).toEqual([path])
})

test.each(Object.entries(GOOGLE_PROBLEMS))(
  'the problem %s shows its sentence once',
  async (name, sentence) => {
    const { google, state, address } = await openPage({
      search: `?problem=${name}&next=%2Fprofile`,
    })
    await google.handleReturn()
    expect(state().problem).toBe(sentence)
    expect(address.search).toBe('?next=%2Fprofile')
  },
)

test('an unknown problem and a plain visit show nothing', async () => {
  for (const search of ['?problem=%3Cscript%3E', '']) {
    const { server, google, state } = await openPage({ search })
    await google.handleReturn()
    expect(state()).toEqual({ step: 'idle', problem: null })
    expect(server.requests).toEqual([])
  }
})

test('inside another app the button says that Google refuses and how to open the real browser, and makes no call', async () => {
  const { server, environment, google, state, went } = await openPage({})
  environment.userAgent = () => 'Mozilla/5.0 (Linux; Android 15; wv) Version/4.0 LinkedInApp/4.1'
  await google.leave()
  expect(state()).toEqual({ step: 'idle', problem: expect.stringContaining('Open in browser') })
  expect([went, server.requests]).toEqual([[], []])
})
