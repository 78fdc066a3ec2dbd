import { expect, test } from 'vitest'
import { aUser } from './support/samples.ts'
import { createCaller } from '../../src/api/call-endpoint.ts'
import { GOOGLE_PROBLEMS } from '../../src/contract/google.ts'
import type { Environment } from '../../src/stores/environment.ts'
import { createGoogleSignIn } from '../../src/stores/google-sign-in.ts'
import { createSession } from '../../src/stores/session.ts'
import { createToasts } from '../../src/stores/toasts.ts'

const USER = aUser()

interface Place {
  search?: string
  fragment?: string
}

/** A page, and the answers of its server: status and body by path. Other paths fail like a broken network. */
function openPage(
  answers: Record<string, [number, object]>,
  { search = '', fragment = '' }: Place,
) {
  const asked: string[] = []
  const went: string[] = []
  const kept = new Map<string, string>()
  const address = { search, fragment }
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
  const environment: Environment = {
    call: createCaller({
      timeoutMs: 1_000,
      wait: () => Promise.resolve(),
      fetch: (path, { body }) => {
        asked.push(typeof body === 'string' ? `${path} ${body}` : path)
        const [status, json] = answers[path] ?? []
        if (json === undefined) return Promise.reject(new TypeError('no network'))
        return Promise.resolve(Response.json(json, { status: status ?? 200 }))
      },
    }),
    loadCheckout: () => Promise.resolve(null),
    checkoutCallback: () => null,
    storage,
    tabStorage: storage,
    clock: { now: () => 0, after: () => () => undefined },
    newId: () => crypto.randomUUID(),
    navigate: (path) => void went.push(path),
    navigateInstead: (path) => void went.push(path),
    pushSearch: () => undefined,
    replaceSearch: (next) => {
      address.search = next
      address.fragment = ''
    },
    here: () => ({ path: '/login', search: address.search }),
  }
  const toasts = createToasts(environment)
  const session = createSession({ environment, toasts, guard: () => 'guest' })
  const google = createGoogleSignIn({
    environment,
    session,
    toasts,
    fragment: () => address.fragment,
  })
  const texts = () => toasts.$toasts.get().map(({ text }) => text)
  return { google, asked, went, kept, address, texts, state: () => google.$google.get() }
}

const offers = (google: boolean): Record<string, [number, object]> => ({
  '/api/auth/providers': [200, { success: true, google }],
})

test('with Google the button opens Google once and passes the page to return to', async () => {
  const page = openPage(offers(true), { search: '?next=%2Fprofile%3Ftab%3Dsecurity' })
  await Promise.all([page.google.press(), page.google.press()])
  await page.google.press()
  expect(page.went).toEqual(['/api/auth/google/start?next=%2Fprofile%3Ftab%3Dsecurity'])
  expect(page.state().step).toBe('leaving')
})

test('without a network a toast shows the failure, and the button works again', async () => {
  const { google, state, texts } = openPage({}, { search: '?next=//evil.example' })
  await google.press()
  expect(state().step).toBe('idle')
  expect(texts()).toEqual(['We cannot reach the server. Check your connection and try again.'])
})

test('a return from Google never opens another site', async () => {
  const answers: Record<string, [number, object]> = {
    '/api/auth/google/finish': [
      200,
      { success: true, token: 't', expiresAt: USER.createdAt, user: USER },
    ],
  }
  const { google, went } = openPage(answers, { fragment: '#google=c0de&next=/.//evil.example' })
  await google.arrive()
  expect(went).toEqual(['/dashboard'])
})

test.each(Object.entries(GOOGLE_PROBLEMS))(
  'the problem %s shows its sentence once',
  async (name, sentence) => {
    const { google, state, address } = openPage({}, { search: `?problem=${name}&next=%2Fprofile` })
    await google.arrive()
    expect(state().problem).toBe(sentence)
    expect(address.search).toBe('?next=%2Fprofile')
  },
)

test('an unknown problem and a plain visit show nothing', async () => {
  for (const search of ['?problem=%3Cscript%3E', '']) {
    const { google, asked, state } = openPage({}, { search })
    await google.arrive()
    expect(state()).toEqual({ step: 'idle', problem: null })
    expect(asked).toEqual([])
  }
})
