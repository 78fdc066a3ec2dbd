import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { liveEndpoint } from '../../src/contract/health.ts'
import { loginEndpoint } from '../../src/contract/session.ts'
import { ask, askGood } from '../harness/ask.ts'
import { createMember, PASSWORD } from '../harness/member.ts'
import { type Site, startSite } from '../harness/services.ts'
import { newAddress, newVisitor } from '../harness/visitor.ts'

// A separate site, because its isolate is flooded.
const state: { site?: Site } = {}
beforeAll(async () => {
  state.site = await startSite()
})
afterAll(() => state.site?.stop())

function site(): Site {
  if (state.site === undefined) throw new Error('the site did not start')
  return state.site
}

const visitor = () => newVisitor(site().worker.url)
const stranger = () => ({ email: `${randomUUID()}@example.test`, password: PASSWORD })
const FLOOD = 60

test('of 60 sign-ins at once some are refused with 503 and Retry-After, and a health check overtakes them', async () => {
  let answered = 0
  const flood = Array.from({ length: FLOOD }, async () => {
    const answer = await ask(visitor(), loginEndpoint, { body: stranger() })
    if (answer.status === 401) answered += 1
    return answer
  })
  // Refusals come while the line is full.
  await Promise.race(
    flood.map(async (asked) => {
      const { status } = await asked
      return status === 503 ? status : new Promise(() => undefined)
    }),
  )
  await askGood(visitor(), liveEndpoint)
  expect(answered).toBeLessThan(15)
  const answers = await Promise.all(flood)
  const refused = answers.filter(({ status }) => status === 503)
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(FLOOD - refused.length)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]?.headers.get('Retry-After')).toBe('5')
  expect(refused[0]?.body).toMatchObject({ code: 'OVERLOADED' })
})

test('callers that go away keep no place in the line', async () => {
  const member = await createMember({ siteUrl: site().worker.url, databaseUrl: site().sqld.url })
  for (let round = 0; round < 2; round += 1) {
    const flood = Array.from({ length: FLOOD }, () => signInAndLeave())
    await Promise.all(flood)
  }
  const body = { email: member.email, password: PASSWORD }
  const signIn = async () => (await ask(visitor(), loginEndpoint, { body })).status
  await expect.poll(signIn, { timeout: 40_000, interval: 8_000 }).toBe(200)
})

/** Hangs up before the answer. */
async function signInAndLeave(): Promise<void> {
  const headers = { 'cf-connecting-ip': newAddress(), 'content-type': 'application/json' }
  const options = { method: 'POST', headers, body: JSON.stringify(stranger()) }
  const signal = AbortSignal.timeout(500)
  await fetch(new URL(loginEndpoint.path, site().worker.url), { ...options, signal }).catch(
    () => undefined,
  )
}
