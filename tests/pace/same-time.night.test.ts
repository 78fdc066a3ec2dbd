import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { forgotPasswordEndpoint } from '../../src/contract/credential.ts'
import { loginEndpoint } from '../../src/contract/session.ts'
import { ask } from '../harness/ask.ts'
import { createMember } from '../harness/member.ts'
import { type Answer, newVisitor } from '../harness/visitor.ts'

const RUNS = 50
const TRIES = 4

type Probe = (email: string) => Promise<Answer>

const strangers = () => Array.from({ length: RUNS }, () => `${randomUUID()}@example.test`)

async function members(): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: RUNS }, () => createMember()))
  return made.map(({ email }) => email)
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

async function timed(probe: Probe, email: string): Promise<number> {
  const startedAt = performance.now()
  await probe(email)
  return performance.now() - startedAt
}

interface Times {
  known: number[]
  unknown: number[]
}

/**
 * Adds fifty times of each kind. Each round measures one of each, in alternating order, so that a machine that gets
 * busy slows both down.
 */
async function measure(probe: Probe, times: Times): Promise<void> {
  const [known, unknown] = [await members(), strangers()]
  for (let round = 0; round < RUNS; round += 1) {
    const pair = [
      { kind: 'known', email: known[round] ?? '' },
      { kind: 'unknown', email: unknown[round] ?? '' },
    ] as const
    for (const { kind, email } of round % 2 === 0 ? pair : pair.toReversed()) {
      times[kind].push(await timed(probe, email))
    }
  }
}

/**
 * The difference between the medians of the two kinds, as a share. Too large a difference is measured again: with more
 * times an accidental difference shrinks and a real one stays.
 */
async function difference(probe: Probe): Promise<number> {
  const times: Times = { known: [], unknown: [] }
  let share = 1
  for (let attempt = 0; attempt < TRIES && share >= 0.1; attempt += 1) {
    await measure(probe, times)
    const [one, other] = [median(times.known), median(times.unknown)]
    share = Math.abs(one - other) / Math.max(one, other)
  }
  return share
}

/** Body, its order of keys and all headers, except for what identifies the request. */
function shown({ status, headers, body }: Answer): unknown {
  const names = new Set(['x-request-id', 'server-timing', 'date'])
  const text = JSON.stringify(body).replace(/"requestId":"[^"]+"/, '')
  return { status, headers: [...headers].filter(([name]) => !names.has(name)), text }
}

const wrongPassword: Probe = (email) =>
  ask(newVisitor(inject('siteUrl')), loginEndpoint, { body: { email, password: 'Wrong-Otter-42' } })

const forgotten: Probe = (email) =>
  ask(newVisitor(inject('siteUrl')), forgotPasswordEndpoint, { body: { email } })

test('an unknown address and a wrong password get the same answer', async () => {
  const { email } = await createMember()
  const [known, unknown] = [
    await wrongPassword(email),
    await wrongPassword(`${randomUUID()}@example.test`),
  ]
  expect(shown(known)).toEqual(shown(unknown))
  expect(known).toMatchObject({
    status: 401,
    body: { code: 'INVALID_CREDENTIALS', message: 'Invalid email or password' },
  })
})

test('a known, an unverified and an unknown address get the same answer to forgot-password', async () => {
  const verified = await createMember()
  const unverified = await createMember({ isVerified: false })
  const answers = await Promise.all(
    [verified.email, unverified.email, `${randomUUID()}@example.test`].map(forgotten),
  )
  const [first, ...others] = answers.map(shown)
  for (const other of others) expect(other).toEqual(first)
})

test('the medians of 50 sign-ins of each kind differ by less than 10 %', async () => {
  expect(await difference(wrongPassword)).toBeLessThan(0.1)
}, 240_000)

test('the medians of 50 forgot-password calls of each kind differ by less than 10 %', async () => {
  expect(await difference(forgotten)).toBeLessThan(0.1)
}, 180_000)
