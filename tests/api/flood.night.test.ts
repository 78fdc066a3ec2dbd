import { newRegistration } from '../harness/registration.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { liveEndpoint } from '../../src/contract/health.ts'
import { loginEndpoint, registerEndpoint } from '../../src/contract/session.ts'
import { ask, askGood } from '../harness/ask.ts'
import { createMember, PASSWORD } from '../harness/member.ts'
import { type Site, startSite } from '../harness/services.ts'
import { type Answer, newAddress, newVisitor, type Visitor } from '../harness/visitor.ts'

const FLOOD_MS = 120_000
const NETWORKS = 63
const CALLS_OF_EACH = 10

/** What the flood sends in turn: bodies that no schema accepts, and bodies that cost a hash. */
const BAD_CALLS: ((visitor: Visitor) => Promise<unknown>)[] = [
  (visitor) => visitor.call(loginEndpoint.path, { json: { email: 'x', password: 'x' } }),
  (visitor) => ask(visitor, loginEndpoint, { body: { ...stranger(), rememberMe: false } }),
  (visitor) => visitor.call(registerEndpoint.path, { json: { password: 'x' } }),
  (visitor) => ask(visitor, registerEndpoint, { body: newRegistration() }),
  (visitor) =>
    visitor.call(loginEndpoint.path, {
      method: 'POST',
      text: '{"email":',
      headers: { 'content-type': 'application/json' },
    }),
]

const stranger = () => ({ email: `${randomUUID()}@example.test`, password: PASSWORD })

let site: Site

beforeAll(async () => {
  site = await startSite()
})

afterAll(async () => {
  await site.stop()
})

const place = () => ({ siteUrl: site.worker.url, databaseUrl: site.sqld.url })

test('some of 40 sign-ins at once are refused with 503 and Retry-After, and those that hang up keep no place', async () => {
  const user = await createMember(place())
  const leave = new AbortController()
  const signIn = (email: string, signal?: AbortSignal) =>
    fetch(new URL(loginEndpoint.path, site.worker.url), {
      method: 'POST',
      headers: {
        'cf-connecting-ip': newAddress(),
        'content-type': 'application/json',
        // A connection of somebody who hung up may be reset, so none is used twice.
        connection: 'close',
      },
      body: JSON.stringify({ email, password: PASSWORD }),
      ...(signal === undefined ? {} : { signal }),
    })
  const flood = Array.from({ length: 40 }, async (_, index) => {
    const answer = await signIn(`${index}.nobody@example.test`, leave.signal)
    // On a busy machine the database may refuse some too, for longer.
    if (answer.headers.get('Retry-After') === '5') return answer
    throw new Error('the line of hashes did not refuse this one')
  })
  const refused = await Promise.any(flood)
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ code: 'OVERLOADED' })
  await askGood(newVisitor(site.worker.url), liveEndpoint)
  leave.abort()
  await Promise.allSettled(flood)
  await expect.poll(async () => (await signIn(user.email)).status).toBe(200)
})

/** Sends 630 bad calls from 63 networks, again and again until the signal. */
async function flood(signal: AbortSignal): Promise<void> {
  const networks = Array.from({ length: NETWORKS }, () => newVisitor(site.worker.url))
  while (!signal.aborted) {
    const ofNetwork = async (visitor: Visitor, at: number) => {
      for (let call = 0; call < CALLS_OF_EACH && !signal.aborted; call += 1) {
        await BAD_CALLS[(at + call) % BAD_CALLS.length]?.(visitor)
      }
    }
    await Promise.all(networks.map(ofNetwork))
  }
}

/** The status of a call and how many milliseconds it took. A call that is told to wait waits and is made again. */
async function timed(call: () => Promise<Answer>): Promise<{ status: number; ms: number }> {
  const begun = performance.now()
  const { status, headers } = await call()
  const waitMs = Number(headers.get('retry-after')) * 1_000
  if (status !== 503 || waitMs === 0) return { status, ms: performance.now() - begun }
  await new Promise((resolve) => setTimeout(resolve, waitMs))
  return { status: (await timed(call)).status, ms: performance.now() - begun }
}

test(
  'during repeated rounds of 630 bad calls from 63 networks, a stranger signs in and registers, after the first round within 5 s, and liveness answers within 1 s',
  async () => {
    const ends = AbortSignal.timeout(FLOOD_MS)
    const flooding = flood(ends)
    const slow: unknown[] = []
    let rounds = 0
    while (!ends.aborted) {
      const { email, password } = await createMember(place())
      const [user, newcomer] = [newVisitor(site.worker.url), newVisitor(site.worker.url)]
      const body = { email, password, rememberMe: false }
      const answers = {
        signIn: await timed(() => ask(user, loginEndpoint, { body })),
        register: await timed(() => ask(newcomer, registerEndpoint, { body: newRegistration() })),
        live: await timed(() => ask(newcomer, liveEndpoint)),
      }
      const { signIn, register, live } = answers
      // At first each network of the flood has called once, so it looks like a newcomer (docs/decisions/0051-limits-belong-to-who-causes-them.md).
      const hashMs = rounds === 0 ? 0 : Math.max(signIn.ms, register.ms)
      const isQuick = hashMs < 5_000 && live.ms < 1_000
      const isGood = [signIn, register, live].every(({ status }) => status === 200)
      if (!isQuick || !isGood) slow.push(answers)
      rounds += 1
    }
    await flooding
    expect(slow).toEqual([])
    expect(rounds).toBeGreaterThan(10)
  },
  FLOOD_MS + 60_000,
)
