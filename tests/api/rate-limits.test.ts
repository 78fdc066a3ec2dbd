import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import {
  deleteAccountEndpoint,
  forgotPasswordEndpoint,
  resendVerificationEndpoint,
} from '../../src/contract/credential.ts'
import {
  authorizeDeviceEndpoint,
  confirmDeviceEndpoint,
  deviceTokenEndpoint,
} from '../../src/contract/device.ts'
import { RATE_LIMITS } from '../../src/contract/limits.ts'
import { AUTH, SERVER } from '../../src/contract/messages.ts'
import { meEndpoint } from '../../src/contract/account.ts'
import { activateOrderPublicEndpoint, createOrderEndpoint } from '../../src/contract/purchase.ts'
import { endSessionEndpoint, loginEndpoint } from '../../src/contract/session.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember, PASSWORD, signInAgain } from '../harness/member.ts'
import { eventsOf } from '../harness/stored.ts'
import { type Answer, newAddress, newVisitor, type Visitor } from '../harness/visitor.ts'
import { providerId } from '../harness/world/purchase.ts'

const visitor = () => newVisitor(inject('siteUrl'))
const MINUTE_MS = 60_000

/** Counters start again each minute, so an attempt that spans two minutes is repeated once. */
async function withinOneMinute<T>(attempt: () => Promise<T>): Promise<T> {
  const minute = () => Math.floor(Date.now() / MINUTE_MS)
  const begunIn = minute()
  const result = await attempt()
  return minute() === begunIn ? result : attempt()
}

const ticket = (email: string) => ({ email, query: 'Hello' })
const newAddressed = () => `${randomUUID()}@example.test`

function submit(from: Visitor, email: string) {
  return ask(from, submitTicketEndpoint, { body: ticket(email) })
}

test('of ten calls at once with a limit of five, five succeed', async () => {
  const statuses = await withinOneMinute(async () => {
    const one = visitor()
    const calls = Array.from({ length: 10 }, () => submit(one, newAddressed()))
    return (await Promise.all(calls)).map(({ status }) => status)
  })
  expect(statuses.filter((status) => status === 200)).toHaveLength(RATE_LIMITS.support)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10 - RATE_LIMITS.support)
})

test('a call over the limit says in its message and headers when to try again', async () => {
  const answer = await withinOneMinute(async () => {
    const one = visitor()
    for (let call = 0; call < RATE_LIMITS.support; call += 1) await submit(one, newAddressed())
    return submit(one, newAddressed())
  })
  expect(bad(answer)).toMatchObject({
    status: 429,
    code: 'RATE_LIMITED',
    message: SERVER.rateLimited,
  })
  expect(answer.headers.get('Retry-After')).toBe('60')
  expect(answer.headers.get('RateLimit-Policy')).toBe(`"support";q=${RATE_LIMITS.support};w=60`)
})

test('a spoofed X-Forwarded-For does not evade the limit', async () => {
  const statuses = await withinOneMinute(async () => {
    const one = visitor()
    const seen: number[] = []
    for (let call = 0; call <= RATE_LIMITS.support; call += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${call}`, 'x-real-ip': `203.0.113.${call}` }
      const body = ticket(newAddressed())
      seen.push((await ask(one, submitTicketEndpoint, { body, headers })).status)
    }
    return seen
  })
  expect(statuses.at(-1)).toBe(429)
})

test('addresses of one IPv6 /64 network share a limit', async () => {
  const statuses = await withinOneMinute(async () => {
    const network = `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}`
    const calls = Array.from({ length: RATE_LIMITS.support + 1 }, (_, host) => {
      const headers = { 'cf-connecting-ip': `${network}::${host + 1}` }
      return ask(visitor(), submitTicketEndpoint, { body: ticket(newAddressed()), headers })
    })
    return (await Promise.all(calls)).map(({ status }) => status)
  })
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
})

test('polls of device codes are limited by address, whether the codes exist or not', async () => {
  const statuses = await withinOneMinute(async () => {
    const app = visitor()
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const calls = Array.from({ length: RATE_LIMITS.devicePoll + 5 }, () =>
      ask(app, deviceTokenEndpoint, { body: { grant_type, device_code: randomUUID() } }),
    )
    return (await Promise.all(calls)).map(({ status }) => status)
  })
  expect(statuses.filter((status) => status === 400)).toHaveLength(RATE_LIMITS.devicePoll)
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
})

test('the many /64 networks of one IPv6 /48 share a limit', async () => {
  const statuses = await withinOneMinute(async () => {
    const network = `2001:db8:${randomUUID().slice(0, 4)}`
    const answers: Answer[] = []
    const count = RATE_LIMITS.network + 5
    // Not all at once: other tests need places for their writes in this isolate too.
    for (let from = 1; from <= count; from += 16) {
      const calls = Array.from({ length: Math.min(16, count - from + 1) }, (_, index) => {
        const headers = { 'cf-connecting-ip': `${network}:${from + index}::1` }
        return ask(visitor(), authorizeDeviceEndpoint, { body: {}, headers })
      })
      answers.push(...(await Promise.all(calls)))
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(RATE_LIMITS.network)
    return answers.map(({ status }) => status)
  })
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
})

test('wrong passwords from many addresses end in 429 for the account, and its owner is not locked out', async () => {
  const member = await createMember()
  const right = { email: member.email, password: member.password }
  const known = await ask(visitor(), loginEndpoint, { body: right })
  const [cookie = ''] = known.headers.getSetCookie()
  expect(cookie).toMatch(/^known_device=.+HttpOnly; SameSite=Lax$/)
  const wrong = spellingsOf(member.email).map((email) => ({ email, password: 'Wrong-Otter-42' }))
  const statuses = await withinOneMinute(async () => {
    const calls = wrong.map((body) => ask(visitor(), loginEndpoint, { body }))
    return (await Promise.all(calls)).map(({ status }) => status)
  })
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(RATE_LIMITS.signIn)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
  // An open session continues, and a password reset can be requested.
  await askGood(member, meEndpoint)
  await askGood(visitor(), forgotPasswordEndpoint, { body: { email: member.email } })
  // A browser that signed in before has tries of its own; anybody else has none left.
  const headers = { cookie: cookie.split(';', 1).join() }
  await askGood(visitor(), loginEndpoint, { body: right, headers })
})

/** Thirty ways to write one address: blanks before and after it, other cases, and other characters for the same letters. */
function spellingsOf(email: string): string[] {
  const wide = email.replaceAll(/[a-z]/g, (letter) =>
    String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
  )
  const blanks = [' ', '\u00a0', '\u3000', '\ufeff', '\t']
  return [email, email.toUpperCase(), wide].flatMap((written) =>
    blanks.flatMap((blank) => [`${blank.repeat(200)}${written}`, `${written}${blank}`]),
  )
}

test('a text that is too long for an address is refused before anything is counted', async () => {
  const asked = visitor()
  const body = { email: `${'a'.repeat(250)}@example.test`, password: PASSWORD }
  const calls = Array.from({ length: RATE_LIMITS.signIn + 5 }, () =>
    ask(asked, loginEndpoint, { body }),
  )
  const answers = await Promise.all(calls)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]))
})

test('an unknown address is limited in the same words as a known one', async () => {
  const email = newAddressed()
  const texts = await withinOneMinute(async () => {
    const body = { email, password: PASSWORD }
    const calls = Array.from({ length: 14 }, () => ask(visitor(), loginEndpoint, { body }))
    return (await Promise.all(calls)).map((answer) => bad(answer).message)
  })
  expect(new Set(texts)).toEqual(new Set([AUTH.invalidCredentials, SERVER.rateLimited]))
})

test('one order can be activated thirty times a minute, from however many addresses', async () => {
  const statuses = await withinOneMinute(async () => {
    const body = {
      orderId: providerId('order'),
      paymentId: providerId('pay'),
      signature: 'a'.repeat(64),
    }
    const calls = Array.from({ length: 45 }, () =>
      ask(visitor(), activateOrderPublicEndpoint, { body }),
    )
    return (await Promise.all(calls)).map(({ status }) => status)
  })
  expect(statuses.filter((status) => status === 200)).toHaveLength(RATE_LIMITS.activation)
  expect(statuses.filter((status) => status === 429)).toHaveLength(45 - RATE_LIMITS.activation)
})

test('one account can order twenty times a minute, from however many addresses', async () => {
  const statuses = await withinOneMinute(async () => {
    const member = await createMember()
    const calls = Array.from({ length: RATE_LIMITS.order + 5 }, () =>
      ask(member, createOrderEndpoint, {
        body: { planType: 'no such plan' },
        headers: { 'cf-connecting-ip': newAddress() },
      }),
    )
    return (await Promise.all(calls)).map(({ status }) => status)
  })
  expect(statuses.filter((status) => status === 400)).toHaveLength(RATE_LIMITS.order)
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
})

test('one account is mailed five verification links a minute, from however many addresses', async () => {
  const statuses = await withinOneMinute(async () => {
    const member = await createMember({ isVerified: false })
    const calls = Array.from({ length: RATE_LIMITS.mail + 5 }, () =>
      ask(member, resendVerificationEndpoint, { headers: { 'cf-connecting-ip': newAddress() } }),
    )
    return (await Promise.all(calls)).map(({ status }) => status)
  })
  expect(statuses.filter((status) => status === 200)).toHaveLength(RATE_LIMITS.mail)
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
})

test('one session can try ten passwords a minute, and each is recorded', async () => {
  const { member, statuses } = await withinOneMinute(async () => {
    const member = await createMember()
    const calls = Array.from({ length: RATE_LIMITS.signIn + 2 }, () =>
      ask(member, deleteAccountEndpoint, {
        body: { password: 'Wrong-Otter-42' },
        headers: { 'cf-connecting-ip': newAddress() },
      }),
    )
    return { member, statuses: (await Promise.all(calls)).map(({ status }) => status) }
  })
  expect(statuses.filter((status) => status === 400)).toHaveLength(RATE_LIMITS.signIn)
  expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  const failures = async () => (await eventsOf(member.userId)).map(({ kind }) => kind)
  await expect.poll(failures).toEqual(Array(RATE_LIMITS.signIn).fill('sign_in_failed'))
})

test('one account can end thirty sessions a minute, and a colleague at its address may go on', async () => {
  const { statuses, refused, other } = await withinOneMinute(async () => {
    const member = await createMember()
    const params = { id: `ses_${'0'.repeat(26)}` }
    const end = (of: Visitor, address: string) =>
      ask(of, endSessionEndpoint, { params, headers: { 'cf-connecting-ip': address } })
    const calls = Array.from({ length: RATE_LIMITS.change + 5 }, () => end(member, newAddress()))
    const answers = await Promise.all(calls)
    return {
      statuses: answers.map(({ status }) => status),
      refused: await end(member, newAddress()),
      other: await end(await createMember(), member.address),
    }
  })
  expect(statuses.filter((status) => status === 404)).toHaveLength(RATE_LIMITS.change)
  expect(refused.headers.get('Retry-After')).toBe('60')
  expect(other.status).toBe(404)
})

// A wrong user_code belongs to no request, so the limit counts the guesses of the account.
test('after 30 guesses at device codes an account is refused even with the right one', async () => {
  const guesser = await createMember()
  const right = await withinOneMinute(async () => {
    const { user_code } = await askGood(visitor(), authorizeDeviceEndpoint, { body: {} })
    const guesses = Array.from({ length: RATE_LIMITS.device }, () =>
      ask(guesser, confirmDeviceEndpoint, {
        body: { userCode: 'BCDFGHJK', approve: true },
        headers: { 'cf-connecting-ip': newAddress() },
      }),
    )
    const wrong = (await Promise.all(guesses)).map(({ status }) => status)
    expect(wrong.every((status) => status === 404 || status === 429)).toBe(true)
    const body = { userCode: user_code, approve: true }
    return { body, answer: await ask(await signInAgain(guesser), confirmDeviceEndpoint, { body }) }
  })
  expect(bad(right.answer)).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
  const owner = await createMember()
  await askGood(owner, confirmDeviceEndpoint, { body: right.body })
  // A code can be decided once; connecting again needs a new one.
  expect(bad(await ask(owner, confirmDeviceEndpoint, { body: right.body })).status).toBe(404)
  const fresh = await askGood(visitor(), authorizeDeviceEndpoint, { body: {} })
  expect(fresh.user_code).not.toBe(right.body.userCode)
  const body = { userCode: fresh.user_code, approve: true }
  await askGood(owner, confirmDeviceEndpoint, { body })
})
