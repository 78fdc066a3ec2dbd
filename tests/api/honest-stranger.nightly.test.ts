import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { meEndpoint } from '../../src/contract/account.ts'
import { applyEndpoint } from '../../src/contract/careers.ts'
import {
  forgotPasswordEndpoint,
  resendVerificationEndpoint,
} from '../../src/contract/credential.ts'
import { exportDataEndpoint } from '../../src/contract/data-export.ts'
import { renewRecoveryCodesEndpoint, stepUpEndpoint } from '../../src/contract/factor.ts'
import { liveEndpoint } from '../../src/contract/health.ts'
import {
  activateSubscriptionEndpoint,
  createOrderEndpoint,
  createPaymentLinkEndpoint,
} from '../../src/contract/purchase.ts'
import { loginEndpoint, registerEndpoint } from '../../src/contract/session.ts'
import { currentSubscriptionEndpoint } from '../../src/contract/subscription.ts'
import { ledgerFileEndpoint, statementEndpoint } from '../../src/contract/usage.ts'
import { APPLICATION } from '../harness/application.ts'
import { ask, askGood } from '../harness/ask.ts'
import { createUser, PASSWORD, signInAgain } from '../harness/user.ts'
import { newRegistration } from '../harness/registration.ts'
import { type Site, startSite } from '../harness/services.ts'
import { database } from '../harness/stored.ts'
import { type Answer, newAddress, newVisitor, type Visitor } from '../harness/visitor.ts'

const ROWS = 5_000

let site: Site

beforeAll(async () => {
  site = await startSite()
})

afterAll(async () => {
  await site.stop()
})

const place = () => ({ siteUrl: site.worker.url, databaseUrl: site.sqld.url })

test('some of 40 sign-ins at once are rejected with 503 and Retry-After, and those that hang up keep no place', async () => {
  const user = await createUser(place())
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
    // On a busy machine the database may reject some too, for 30 seconds.
    if (Number(answer.headers.get('Retry-After') ?? 30) < 30) return answer
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

const newcomer = () => newVisitor(site.worker.url)
const stranger = () => ({ email: `${randomUUID()}@example.test`, password: PASSWORD })

/** Sends what no schema accepts, and what costs a hash, in turn. */
const FLOOD: ((visitor: Visitor) => Promise<Answer>)[] = [
  (visitor) => visitor.call(loginEndpoint.path, { json: { email: 'x', password: 'x' } }),
  (visitor) => ask(visitor, loginEndpoint, { body: { ...stranger(), rememberMe: false } }),
  (visitor) => visitor.call(registerEndpoint.path, { json: { password: 'x' } }),
  (visitor) => ask(visitor, registerEndpoint, { body: newRegistration() }),
]

/** The sessions of an account with many uses of tokens. */
async function heavyUser() {
  const user = await createUser({ ...place(), hasPlan: true })
  const db = database(site.sqld.url)
  await db.batch([
    db.run(sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
      INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
      SELECT 'use:' || ${user.userId} || i, ${user.userId}, 'use', -1, 'emulator', ${Date.now()} FROM n`),
  ])
  return [user, await signInAgain(user, place()), await signInAgain(user, place())]
}

const unpaid = async () => {
  const user = await createUser(place())
  await ask(user, createOrderEndpoint, { body: { planType: 'pro' } })
  return user
}

const report = (uri: string) => (visitor: Visitor) =>
  visitor.call('/api/csp-report', {
    method: 'POST',
    text: JSON.stringify({ 'csp-report': { 'document-uri': uri, 'effective-directive': uri } }),
    headers: { 'content-type': 'application/csp-report' },
  })

type Send = (index: number) => Promise<unknown>

/** Each attack prepares its callers, and returns what the n-th call sends. */
const ATTACKS: Record<string, () => Promise<Send>> = {
  'a flood of sign-ins and registrations from 63 networks': async () => {
    const networks = Array.from({ length: 63 }, newcomer)
    return async (index) => FLOOD[index % FLOOD.length]?.(networks[index % 63] ?? newcomer())
  },
  'exports, statements and ledger files of an account': async () => {
    const sessions = await heavyUser()
    const calls = [exportDataEndpoint, statementEndpoint, ledgerFileEndpoint]
    return async (index) => {
      const [session, endpoint] = [sessions[index % 3], calls[(index >> 1) % 3]]
      return session && endpoint && ask(session, endpoint)
    }
  },
  'applications of 25 KB in the name of somebody else': async () => {
    const body = { ...APPLICATION, email: stranger().email, whyJoin: 'x'.repeat(4_000) }
    const networks = Array.from({ length: 10 }, newcomer)
    return (index) => ask(networks[index % 10] ?? newcomer(), applyEndpoint, { body })
  },
  'accounts that ask Razorpay about orders they never pay': async () => {
    const users = await Promise.all(Array.from({ length: 4 }, unpaid))
    return async (index) => {
      const user = users[index % 4]
      return user && ask(user, activateSubscriptionEndpoint)
    }
  },
  'orders and links that nobody pays': async () => {
    const users = await Promise.all(Array.from({ length: 12 }, () => createUser(place())))
    return async (index) => {
      const user = users[index % 12]
      const idempotencyKey = randomUUID()
      const body = { planType: 'pro' as const }
      const endpoint = index % 2 ? createOrderEndpoint : createPaymentLinkEndpoint
      return user && ask(user, endpoint, { body, idempotencyKey })
    }
  },
  'variants of an address, its verification mails and its resets': async () => {
    const { email } = stranger()
    const users = await Promise.all(
      Array.from({ length: 4 }, () => createUser({ ...place(), isVerified: false })),
    )
    return async (index) => {
      const variant = email.replace('@', `+${index}@`)
      const body = { ...newRegistration(), email: variant }
      await ask(newcomer(), registerEndpoint, { body })
      await ask(newcomer(), forgotPasswordEndpoint, { body: { email: variant } })
      const user = users[index % 4]
      return user && ask(user, resendVerificationEndpoint)
    }
  },
  'wrong passwords and codes typed in stolen sessions, and renewals at once': async () => {
    const user = await createUser(place())
    const sessions = [user, await signInAgain(user, place())]
    return async (index) => {
      const by = sessions[index % 2] ?? user
      const proofs = [
        { kind: 'password' as const, password: 'Wrong-Otter-1' },
        { kind: 'totp' as const, code: '000000' },
      ]
      const proof = proofs[(index >> 1) % 2]
      await ask(by, renewRecoveryCodesEndpoint)
      return proof && ask(by, stepUpEndpoint, { body: { proof } })
    }
  },
  'refused registrations from one network': async () => {
    const body = newRegistration()
    const network = newcomer()
    return () => ask(network, registerEndpoint, { body })
  },
  'invented CSP reports': async () => {
    const network = newcomer()
    return (index) => report(`${site.worker.url}/${index}`)(network)
  },
}

/** The status of a call that is made once more after `Retry-After`, as a browser does it (src/api/call-endpoint.ts). */
async function statusOf(call: () => Promise<Answer>): Promise<number> {
  const { status, headers } = await call()
  if (status !== 503) return status
  await sleep(1_000 * Math.min(6, Number(headers.get('Retry-After'))))
  return (await call()).status
}

/** Thirty calls of people whom nobody knows, five at a time, each from a network of its own. */
async function honestCalls(): Promise<number[]> {
  const statuses: number[] = []
  while (statuses.length < 30) {
    const user = await createUser(place())
    const { email, password } = user
    const credentials = { body: { email, password, rememberMe: false } }
    const registration = { body: newRegistration() }
    const [one, other] = [newcomer(), newcomer()]
    const calls = [
      () => ask(one, loginEndpoint, credentials),
      () => ask(other, registerEndpoint, registration),
      () => ask(user, createOrderEndpoint, { body: { planType: 'pro' } }),
      () => ask(user, meEndpoint),
      () => ask(user, currentSubscriptionEndpoint),
    ]
    statuses.push(...(await Promise.all(calls.map(statusOf))))
  }
  return statuses
}

test.each(Object.entries(ATTACKS))(
  'beside %s, 28 of 30 calls of strangers who sign in, register, order and read `me` answer 200',
  async (_, prepare) => {
    const send = await prepare()
    let isOver = false
    let sent = 0
    const attacking = Array.from({ length: 20 }, async () => {
      for (let own = 0; own < 20 && !isOver; own += 1) await send((sent += 1))
    })
    const statuses = await honestCalls().finally(() => (isOver = true))
    await Promise.all(attacking)
    expect(sent).toBeGreaterThan(20)
    expect(statuses.filter((status) => status === 200).length, statuses.join()).toBeGreaterThan(27)
  },
  600_000,
)
