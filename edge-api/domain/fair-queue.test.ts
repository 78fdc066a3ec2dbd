import { newLink } from '#harness/fixture/rows.ts'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cheapHash, createAccount } from '#harness/fixture/account.ts'
import { emptyFixture } from '#harness/fixture/empty-fixture.ts'
import { callOf, NO_INPUT } from '#harness/fixture/fixture.ts'
import { changePassword } from './password/change-password.ts'
import { deleteAccount } from './data-rights/delete-account.ts'
import { exportData } from './data-rights/export-data.ts'
import { register } from './sign-in/register.ts'
import { resetPassword } from './password/reset-password.ts'
import { stepUp } from './factors/step-up.ts'
import { FairQueue } from './fair-queue.ts'
import { ApiError } from './api-error.ts'
import { login } from './sign-in/login.ts'

/** A queue whose work ends when the test says so; `began` has the names of what began, in order. */
function open(atOnce = 1) {
  const began: string[] = []
  const ends: (() => void)[] = []
  const time = { now: 0 }
  const queue = new FairQueue(
    { atOnce, places: 20, secondsEach: 0.25 },
    { clock: () => time.now, pause: () => setImmediate() },
  )
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      began.push(name)
      ends.push(() => resolve(name))
    })
  const call = (
    network: string,
    { name = network, known }: { name?: string; known?: string } = {},
  ) => outcomeOf(queue.run(network, work(name), known))
  const endOne = () => ends.shift()?.()
  const endAll = async (calls: Promise<string>[]) => {
    let isOver = false
    const outcomes = Promise.all(calls).finally(() => (isOver = true))
    while (!isOver) {
      endOne()
      await setImmediate()
    }
    return outcomes
  }
  const begun = (...names: string[]) => expect.poll(() => began).toEqual(names)
  return { queue, time, call, endOne, endAll, begun, began }
}

/** Long enough for whatever was going to begin. */
async function manyTurns() {
  for (let turn = 0; turn < 50; turn += 1) await setImmediate()
}

const outcomeOf = (call: Promise<string>) =>
  call.catch((error: unknown) => (error instanceof ApiError ? error.code : String(error)))

const many = (count: number, call: (index: number) => Promise<string>) =>
  Array.from({ length: count }, (_, index) => call(index))

const doneOf = (outcomes: string[]) => outcomes.filter((outcome) => outcome !== 'OVERLOADED').length

test('of 60 calls of a network one runs at a time, twenty run, and the others hear how long the line is', async () => {
  const { queue, call, endAll, begun } = open()
  const calls = many(60, () => call('flood'))
  await begun('flood')
  const refused = queue.run('flood', () => Promise.resolve())
  await expect(refused).rejects.toMatchObject({
    code: 'OVERLOADED',
    detail: { retryAfterSeconds: 6 },
  })
  expect(doneOf(await endAll(calls))).toBe(20)
  expect(await endAll([call('flood')])).toEqual(['flood'])
})

test.each([
  ['a flood', () => undefined],
  ['a flood with an account for each call', (index: number) => `account ${index}`],
])('a first call comes before %s of two networks, and takes its last place', async (_, known) => {
  const { call, endOne, endAll, began } = open()
  const flood = many(20, (index) =>
    call(`flood ${index % 2}`, {
      name: 'flood',
      ...(known(index) && { known: `${known(index)}` }),
    }),
  )
  await expect.poll(() => began).toEqual(['flood'])
  const newcomer = call('newcomer')
  endOne()
  await expect.poll(() => began).toEqual(['flood', 'newcomer'])
  const [own, ...others] = await endAll([newcomer, ...flood])
  expect([own, doneOf(others)]).toEqual(['newcomer', 19])
})

test('a flood of many networks is known by its earlier calls, and takes the place of no newcomer', async () => {
  const { call, endAll, began } = open()
  const networks = many(20, (index) => Promise.resolve(`flood ${index}`))
  for (const network of await Promise.all(networks))
    await endAll([call(network, { name: 'before' })])
  const flood = many(20, (index) => call(`flood ${index}`, { name: 'flood' }))
  await expect.poll(() => began.at(-1)).toBe('flood')
  const [newcomer, ...others] = await endAll([call('newcomer'), ...flood])
  expect([newcomer, doneOf(others)]).toEqual(['newcomer', 19])
})

test('a browser that an account knows comes before strangers, on its own network too', async () => {
  const { call, endOne, endAll, begun } = open()
  const calls = [call('a'), call('b'), call('b', { name: 'b, too' })]
  await begun('a')
  calls.push(call('c'), call('b', { name: 'known', known: 'an account' }))
  for (const count of [2, 3, 4]) {
    endOne()
    await begun(...['a', 'known', 'c', 'b'].slice(0, count))
  }
  await endAll(calls)
})

test('accounts of one network that are always in line do not keep a stranger of another network waiting', async () => {
  const { call, endOne, endAll, began } = open()
  const calls: Promise<string>[] = []
  const join = () =>
    calls.push(call('flood', { name: 'flood', known: `account ${calls.length % 50}` }))
  for (let place = 0; place < 7; place += 1) join()
  const newcomer = call('newcomer')
  for (let turn = 0; turn < 40 && !began.includes('newcomer'); turn += 1) {
    await manyTurns()
    endOne()
    join()
  }
  expect(began).toContain('newcomer')
  await endAll([newcomer, ...calls])
})

test('an account has one place at a time, and leaves the others free', async () => {
  const { call, endAll, begun } = open(2)
  const calls = [
    call('a', { known: 'one' }),
    call('b', { known: 'one' }),
    call('c', { known: 'two' }),
  ]
  await begun('c', 'a')
  await endAll(calls)
  await begun('c', 'a', 'b')
})

test('who waits for fifteen seconds is rejected, work that fails gives its place back, and so does work after a minute', async () => {
  const { queue, time, call, endOne, endAll, begun } = open()
  const calls = [call('a'), call('b')]
  await begun('a')
  time.now += 15_001
  expect(await calls[1]).toBe('OVERLOADED')
  time.now += 45_000
  calls.push(call('c'))
  await begun('a', 'c')
  endOne()
  endOne()
  const failing = () => queue.run('d', () => Promise.reject(new Error('no')))
  for (let time = 0; time < 25; time += 1) await expect(failing()).rejects.toThrow('no')
  await endAll([call('e')])
})

/** A stream of a queue with one place. Each text is made when the test asks for it. */
async function openStream() {
  const opened = open()
  let made = 0
  async function* texts() {
    for (;;) {
      if (made === 9) throw new Error('the database went away')
      yield `text ${(made += 1)}`
    }
  }
  const stream = await opened.queue.stream('a', texts(), 'an account')
  const reader = stream.getReader()
  const read = async () => {
    const { value } = await reader.read()
    await manyTurns()
    return new TextDecoder().decode(value)
  }
  return { ...opened, reader, read, made: () => made }
}

test('a stream makes one text ahead of its reader, and gives its place back when the reader goes away', async () => {
  const { call, reader, read, made, begun, endAll } = await openStream()
  expect([await read(), await read(), made()]).toEqual(['text 1', 'text 2', 3])
  const next = call('b')
  await manyTurns()
  await begun()
  await reader.cancel()
  await endAll([next])
  await begun('b')
})

test('a stream without progress for ten seconds breaks off', async () => {
  const { time, call, read, endAll } = await openStream()
  await read()
  time.now += 10_001
  expect(await endAll([call('b')])).toEqual(['b'])
  await expect(read()).rejects.toThrow('too slow')
})

test('a stream that fails breaks off, and the call of one that fails at once is rejected', async () => {
  const { queue, call, read, endAll } = await openStream()
  const reading = async () => {
    for (;;) await read()
  }
  await expect(reading()).rejects.toThrow('the database went away')
  async function* failing() {
    throw new Error('no rows')
  }
  await expect(queue.stream('a', failing())).rejects.toThrow('no rows')
  expect(await endAll([call('b')])).toEqual(['b'])
})

test('a stream goes on without a place after a minute, one for an account', async () => {
  const { time, call, read, begun, endOne, reader } = await openStream()
  for (let seconds = 0; seconds < 63; seconds += 9) {
    time.now += 9_000
    await read()
  }
  const own = call('a', { name: 'own', known: 'an account' })
  const other = call('b')
  await begun('b')
  endOne()
  await other
  await manyTurns()
  await begun('b')
  await reader.cancel()
  await begun('b', 'own')
  endOne()
  await own
})

test('every call that hashes a password waits in its queue, and so does an export', async () => {
  const fixture = await emptyFixture()
  const emailVerifiedAt = fixture.now()
  const claims = await createAccount(fixture.ctx(), { passwordHash: cheapHash(), emailVerifiedAt })
  const params = { token: await newLink(fixture.ctx(), claims.userId, 'reset') }
  const full = new FairQueue(
    { atOnce: 0, places: 0, secondsEach: 1 },
    { clock: fixture.now, pause: () => Promise.resolve() },
  )
  const ctx = { ...fixture.ctx(), queues: { ...fixture.ctx().queues, hashes: full, exports: full } }
  const email = 'somebody@example.test'
  const [password, newPassword] = ['Quiet-Otter-42', 'Quiet-Heron-43']
  const proof = { kind: 'password', password } as const
  const newcomer = { username: 'somebody', email, password, confirmPassword: password }
  const calls = [
    login(ctx, { ...NO_INPUT, body: { email, password, rememberMe: false } }),
    register(ctx, { ...NO_INPUT, body: newcomer }),
    resetPassword(ctx, { ...NO_INPUT, params, body: { password } }),
    changePassword(ctx, { ...callOf(claims), body: { currentPassword: password, newPassword } }),
    deleteAccount(ctx, { ...callOf(claims), body: { password } }),
    stepUp(ctx, { ...callOf(claims), body: { proof } }),
    exportData(ctx, callOf(claims)),
  ]
  const codes = (await Promise.allSettled(calls)).map((call) =>
    call.status === 'rejected' ? call.reason.code : 'done',
  )
  expect(codes).toEqual(calls.map(() => 'OVERLOADED'))
})
