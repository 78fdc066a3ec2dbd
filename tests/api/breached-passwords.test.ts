import { newRegistration } from '../harness/registration.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { FIELD } from '../../src/contract/messages.ts'
import { registerEndpoint } from '../../src/contract/session.ts'
import { ask } from '../harness/ask.ts'
import { type BreachList, rangeOf, sha1Of, startBreachList } from '../harness/breach-list.ts'
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

const register = (password: string) =>
  ask(visitor(), registerEndpoint, { body: newRegistration(password) })

test('a breached password is refused, and only five characters of its hash are sent', async () => {
  const password = newPassword()
  list.answers((response) => response.end(rangeOf(password, 3)))
  // Registration does not wait for a late list, so on a busy machine the first try may succeed.
  await expect
    .poll(async () => (await register(password)).body)
    .toMatchObject({
      code: 'VALIDATION_FAILED',
      message: FIELD.passwordBreached,
      errors: [{ path: 'password', msg: FIELD.passwordBreached }],
    })
  for (const asked of list.asked) {
    expect(asked).toEqual({ path: `/range/${sha1Of(password).slice(0, 5)}`, padding: 'true' })
  }
})

// edge-api/gateways/breached-passwords.test.ts tests the other answers of a list.
test('a list that never answers does not stop a registration, and one warning without the password is logged', async () => {
  const password = newPassword()
  list.answers(() => undefined)
  const lines = worker.log().length
  expect((await register(password)).status).toBe(200)
  const said = () => worker.log().slice(lines)
  const warnings = () => said().filter((line) => line.includes('breached passwords'))
  await expect.poll(warnings).toEqual([expect.stringContaining('"level":"warn"')])
  const hash = sha1Of(password)
  for (const secret of [password, hash, hash.slice(5)]) {
    expect(said().join('\n').toUpperCase()).not.toContain(secret.toUpperCase())
  }
})
