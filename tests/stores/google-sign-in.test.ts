import { expect, test } from 'vitest'
import {
  GOOGLE_PROBLEMS,
  googleFinishEndpoint,
  providersEndpoint,
} from '../../src/contract/google.ts'
import { createGoogleSignIn } from '../../src/stores/google-sign-in.ts'
import { aUser } from './support/samples.ts'
import { createStoreWorld } from './support/store-world.ts'

/** The page to sign in on, as its address says. */
async function openPage({ search = '', fragment = '' }) {
  const world = await createStoreWorld({ path: '/login', search, guard: 'guest' })
  const google = createGoogleSignIn({ ...world, fragment: () => fragment })
  return { ...world, google, state: () => google.$google.get() }
}

test('with Google the button opens Google once and passes the page to return to', async () => {
  const { server, google, went, state } = await openPage({
    search: '?next=%2Fprofile%3Ftab%3Dsecurity',
  })
  server.answer(providersEndpoint, { google: true })
  await Promise.all([google.press(), google.press()])
  await google.press()
  expect(went).toEqual(['/api/auth/google/start?next=%2Fprofile%3Ftab%3Dsecurity'])
  expect(state().step).toBe('leaving')
})

test('without a network a toast shows the failure, and the button works again', async () => {
  const { server, google, state, said } = await openPage({})
  server.cutOff(providersEndpoint)
  await google.press()
  expect(state().step).toBe('idle')
  expect(said()).toEqual([
    'error: We cannot reach the server. Check your connection and try again.',
  ])
})

test('a return from Google never opens another site', async () => {
  const { server, google, went } = await openPage({
    fragment: '#google=c0de&next=/.//evil.example',
  })
  const user = aUser()
  server.answer(googleFinishEndpoint, { token: 't', expiresAt: user.createdAt, user })
  await google.arrive()
  expect(went).toEqual(['/dashboard'])
})

test('a return from Google to a browser that keeps no token stays on the page', async () => {
  const { server, environment, google, state, went } = await openPage({ fragment: '#google=c0de' })
  const user = aUser()
  environment.storage.setItem = () => false
  server.answer(googleFinishEndpoint, { token: 't', expiresAt: user.createdAt, user })
  await google.arrive()
  expect([went, state().step]).toEqual([[], 'idle'])
})

test.each(Object.entries(GOOGLE_PROBLEMS))(
  'the problem %s shows its sentence once',
  async (name, sentence) => {
    const { google, state, address } = await openPage({
      search: `?problem=${name}&next=%2Fprofile`,
    })
    await google.arrive()
    expect(state().problem).toBe(sentence)
    expect(address.search).toBe('?next=%2Fprofile')
  },
)

test('an unknown problem and a plain visit show nothing', async () => {
  for (const search of ['?problem=%3Cscript%3E', '']) {
    const { server, google, state } = await openPage({ search })
    await google.arrive()
    expect(state()).toEqual({ step: 'idle', problem: null })
    expect(server.requests).toEqual([])
  }
})
