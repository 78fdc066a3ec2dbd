import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  changePasswordEndpoint,
  forgotPasswordEndpoint,
  resetPasswordEndpoint,
} from '../../src/contract/credential.ts'
import { FIELD } from '../../src/contract/messages.ts'
import { registerEndpoint } from '../../src/contract/session.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { type BreachList, sha1Of, startBreachList } from '../harness/breach-list.ts'
import { createMember, PASSWORD } from '../harness/member.ts'
import { mailedSecret } from '../harness/stored.ts'
import { newVisitor } from '../harness/visitor.ts'
import { startWorker, type Worker } from '../harness/services.ts'

let list: BreachList
let worker: Worker

beforeAll(async () => {
  list = await startBreachList()
  const urls = { databaseUrl: inject('databaseUrl'), emulatorUrl: inject('emulatorUrl') }
  worker = await startWorker({ ...urls, vars: { BREACHED_PASSWORDS_URL: `${list.url}/` } })
})

afterAll(async () => {
  await worker.stop()
  await list.stop()
})

const visitor = () => newVisitor(worker.url)

/** A unique password, so that a test can search the log for it. */
const newPassword = () => `Aa1-${randomUUID()}`

function register(password: string) {
  const username = `b_${randomUUID().slice(0, 20).replaceAll('-', '')}`
  const email = `${username}@example.test`
  const body = { username, email, password, confirmPassword: password }
  return ask(visitor(), registerEndpoint, { body })
}

async function timeToRegister(password: string): Promise<number> {
  const startedAt = performance.now()
  expect((await register(password)).status).toBe(200)
  return performance.now() - startedAt
}

/** The lines of an answer that counts these passwords, among other hashes and padding. */
function range(passwords: string[], count = 3): string {
  const own = passwords.map((password) => `${sha1Of(password).slice(5)}:${count}`)
  return [...own, `${'0'.repeat(35)}:7`, `${'F'.repeat(35)}:0`].join('\r\n')
}

test('a breached password is refused wherever one is chosen, and only five characters of its hash are sent', async () => {
  const password = newPassword()
  const before = list.asked.length
  list.answers((response) => response.end(range([password])))
  const member = await createMember({ siteUrl: worker.url })
  const { email } = member
  await askGood(visitor(), forgotPasswordEndpoint, { body: { email } })
  const token = await mailedSecret(email, 'reset-password')
  const body = { currentPassword: PASSWORD, newPassword: password }
  const answers = [
    await register(password),
    await ask(visitor(), resetPasswordEndpoint, { params: { token }, body: { password } }),
    await ask(member, changePasswordEndpoint, { body }),
  ]
  for (const [index, path] of ['password', 'password', 'newPassword'].entries()) {
    const answer = answers[index]
    expect(answer && bad(answer)).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      message: FIELD.passwordBreached,
      errors: [{ path, msg: FIELD.passwordBreached }],
    })
  }
  expect(list.asked.slice(before)).toEqual(
    Array.from(answers, () => ({
      path: `/range/${sha1Of(password).slice(0, 5)}`,
      padding: 'true',
    })),
  )
  // The refusal did not use up the mailed link.
  const better = { password: newPassword() }
  await askGood(visitor(), resetPasswordEndpoint, { params: { token }, body: better })
})

test('a password that is not on the list, or only as padding, is accepted', async () => {
  const password = newPassword()
  list.answers((response) => response.end(range([password], 0)))
  expect((await register(password)).status).toBe(200)
})

const faults: [string, (response: ServerResponse) => void][] = [
  ['answers 500', (response) => response.writeHead(500).end('no')],
  ['never answers', () => undefined],
  ['stops in the middle', (response) => void response.writeHead(200).write(range([]))],
  ['answers with HTML', (response) => response.end('<!doctype html><p>Sign in to the Wi-Fi</p>')],
  ['sends elsewhere', (response) => response.writeHead(302, { location: '/x' }).end()],
  ['is cut off', (response) => response.end(range([]).slice(0, -4))],
  [
    'breaks off',
    (response) => {
      response.writeHead(200, { 'content-length': '9999' }).write(range([]))
      setImmediate(() => response.destroy())
    },
  ],
]

test.each(faults)(
  'a list that %s delays a registration by less than two seconds and logs one warning',
  async (_what, answer) => {
    const password = newPassword()
    list.answers(answer)
    const lines = worker.log().length
    const elapsed = await timeToRegister(password)
    // On a busy machine, compare with the time of a registration whose list answers at once.
    if (elapsed >= 2_000) {
      list.answers((response) => response.end(range([])))
      expect(elapsed - (await timeToRegister(newPassword()))).toBeLessThan(1_600)
    }
    const said = () => worker.log().slice(lines)
    const warnings = () => said().filter((line) => line.includes('breached passwords'))
    await expect.poll(warnings).toEqual([expect.stringContaining('"level":"warn"')])
    const hash = sha1Of(password)
    for (const secret of [password, hash, hash.slice(5)]) {
      expect(said().join('\n').toUpperCase()).not.toContain(secret.toUpperCase())
    }
    // The built-in list of common passwords still applies, without a request.
    const asked = list.asked.length
    expect(bad(await register('Password123')).errors?.[0]?.path).toBe('password')
    expect(list.asked).toHaveLength(asked)
  },
)
