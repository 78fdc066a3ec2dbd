import { newLink } from '../../tests/harness/world/rows.ts'
import { expect, test } from 'vitest'
import { cheapHash, createAccount } from '../../tests/harness/world/account.ts'
import { emptyWorld } from '../../tests/harness/world/empty-world.ts'
import { callOf, NO_INPUT } from '../../tests/harness/world/world.ts'
import { changePassword } from './account/change-password.ts'
import { deleteAccount } from './account/delete-account.ts'
import { register } from './session/register.ts'
import { resetPassword } from './account/reset-password.ts'
import { stepUp } from './factors/step-up.ts'
import { HashGate } from './hash-gate.ts'
import { Refusal } from './refusal.ts'
import { login } from './session/login.ts'

const newGate = (clock = () => 0) =>
  new HashGate(() => new Promise((resolve) => setTimeout(resolve, 1)), clock)

/** A hash that ends when the test says so, and the order in which hashes began. */
function hashes() {
  const began: string[] = []
  const ends: (() => void)[] = []
  const hash = (name: string) => () =>
    new Promise<string>((resolve) => {
      began.push(name)
      ends.push(() => resolve(name))
    })
  return { began, hash, endOne: () => ends.shift()?.() }
}

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'hashed',
    (error: unknown) => (error instanceof Refusal ? error.code : 'another error'),
  )

test('60 hashes of one caller run one at a time, twenty are done, and the others are told how long the queue is', async () => {
  const gate = newGate()
  let running = 0
  let most = 0
  const hash = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
    return 'hash'
  }
  const calls = Array.from({ length: 60 }, () => gate.pass('a network', hash))
  const outcomes = await Promise.allSettled(calls)
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(outcomes.length - refused.length).toBe(20)
  expect(most).toBe(1)
  expect(refused[0]).toMatchObject({
    reason: { code: 'OVERLOADED', detail: { retryAfterSeconds: 5 } },
  })
  expect(await gate.pass('a network', hash)).toBe('hash')
})

test('a first call comes before a flood, and takes its last place when the queue is full', async () => {
  const gate = newGate()
  const { began, hash, endOne } = hashes()
  const flood = Array.from({ length: 20 }, (_, index) =>
    outcomeOf(gate.pass(index % 2 === 0 ? 'flood A' : 'flood B', hash('flood'))),
  )
  await expect.poll(() => began.length).toBe(1)
  const honest = gate.pass('another network', hash('honest'))
  endOne()
  await expect.poll(() => began).toEqual(['flood', 'honest'])
  const ending = setInterval(endOne, 1)
  expect(await honest).toBe('honest')
  const outcomes = await Promise.all(flood)
  clearInterval(ending)
  expect(outcomes.filter((outcome) => outcome === 'OVERLOADED')).toHaveLength(1)
})

test('a queue full of callers who each called once refuses the next', async () => {
  const gate = newGate()
  const { began, hash, endOne } = hashes()
  const calls = Array.from({ length: 21 }, (_, index) =>
    outcomeOf(gate.pass(`network ${index}`, hash('hash'))),
  )
  await expect.poll(() => began.length).toBe(1)
  expect(await calls[20]).toBe('OVERLOADED')
  const ending = setInterval(endOne, 1)
  expect((await Promise.all(calls)).filter((outcome) => outcome === 'hashed')).toHaveLength(20)
  clearInterval(ending)
})

/** A newcomer comes to a gate that twenty calls fill: one of them gives way. */
async function meetNewcomer(
  gate: HashGate,
  { began, hash, endOne }: ReturnType<typeof hashes>,
  flood: Promise<string>[],
) {
  await expect.poll(() => began.length).toBe(1)
  const newcomer = outcomeOf(gate.pass('another network', hash('newcomer')))
  const ending = setInterval(endOne, 1)
  expect(await newcomer).toBe('hashed')
  expect((await Promise.all(flood)).filter((outcome) => outcome === 'hashed')).toHaveLength(19)
  clearInterval(ending)
}

test('a flood is known by its earlier calls after the queue was empty, and refuses no newcomer', async () => {
  const gate = newGate()
  const calls = hashes()
  const networks = Array.from({ length: 20 }, (_, index) => `flood ${index}`)
  for (const network of networks) await gate.pass(network, () => Promise.resolve('hash'))
  const flood = networks.map((network) => outcomeOf(gate.pass(network, calls.hash('flood'))))
  await meetNewcomer(gate, calls, flood)
})

test('a flood that has an account for each call refuses no newcomer', async () => {
  const gate = newGate()
  const calls = hashes()
  const flood = Array.from({ length: 20 }, (_, index) =>
    outcomeOf(gate.pass(`flood ${index % 2}`, calls.hash('flood'), `account ${index}`)),
  )
  await meetNewcomer(gate, calls, flood)
})

test('a browser that an account knows comes before the flood of its own network', async () => {
  const gate = newGate()
  const { began, hash, endOne } = hashes()
  const flood = Array.from({ length: 20 }, () => outcomeOf(gate.pass('flood', hash('flood'))))
  await expect.poll(() => began.length).toBe(1)
  const neighbour = gate.pass('flood', hash('neighbour'), 'an account')
  endOne()
  await expect.poll(() => began[1]).toBe('neighbour')
  const ending = setInterval(endOne, 1)
  expect(await neighbour).toBe('neighbour')
  await Promise.all(flood)
  clearInterval(ending)
})

test('a call that others overtake waits fifteen seconds, and then gives its place back', async () => {
  let now = 0
  const gate = newGate(() => now)
  const { began, hash, endOne } = hashes()
  const running = gate.pass('a network', hash('running'))
  await expect.poll(() => began.length).toBe(1)
  const waiting = outcomeOf(gate.pass('a network', hash('waiting')))
  now = 15_001
  expect(await waiting).toBe('OVERLOADED')
  endOne()
  await running
  expect(began).toEqual(['running'])
  expect(await gate.pass('a network', () => Promise.resolve('hash'))).toBe('hash')
})

test('a hash that fails gives its place back', async () => {
  const gate = newGate()
  const failing = () => Promise.reject(new Error('no'))
  for (let time = 0; time < 25; time += 1) {
    await expect(gate.pass('a network', failing)).rejects.toThrow('no')
  }
  expect(await gate.pass('a network', () => Promise.resolve('hash'))).toBe('hash')
})

/** A gate whose queue is full. */
class FullGate extends HashGate {
  override pass<Result>(): Promise<Result> {
    return Promise.reject(new Refusal('OVERLOADED', 'full'))
  }
}

test('every call that hashes a password waits in the queue', async () => {
  const world = await emptyWorld()
  const emailVerifiedAt = world.now()
  const claims = await createAccount(world.ctx(), { passwordHash: cheapHash(), emailVerifiedAt })
  const params = { token: await newLink(world.ctx(), claims.userId, 'reset') }
  const ctx = { ...world.ctx(), hashGate: new FullGate(() => Promise.resolve(), world.now) }
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
  ]
  const codes = (await Promise.allSettled(calls)).map((call) =>
    call.status === 'rejected' ? call.reason.code : 'hashed',
  )
  expect(codes).toEqual(calls.map(() => 'OVERLOADED'))
})
