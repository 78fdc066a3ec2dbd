import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { type SavedState, openClient } from '../../docs/desktop-app/client.ts'
import { confirmDeviceEndpoint } from '../../src/contract/device.ts'
import { endOtherSessionsEndpoint, sessionsEndpoint } from '../../src/contract/session.ts'
import { currentSubscriptionEndpoint } from '../../src/contract/subscription.ts'
import { root } from '../../tools/launcher/settings.ts'
import { askGood } from '../harness/ask.ts'
import { startExample } from '../harness/example-app.ts'
import { grantStatements } from '../harness/entitlement.ts'
import { createUser, type TestUser } from '../harness/user.ts'
import { newAddress } from '../harness/visitor.ts'
import { createFixture } from '../harness/fixture/fixture.ts'

// The client of docs/desktop-app/client.ts against the site.

/** A machine with the app on it: what it has stored, and its network. */
function machine() {
  const disk: { kept: SavedState | null } = { kept: null }
  const network = { isCut: false, losesAnswers: false, address: newAddress() }
  /** What the next answers of the server wait for on their way. */
  const delays: (() => Promise<unknown>)[] = []
  /** Answers instead of the server. */
  const rejections: Response[] = []
  const waits: number[] = []
  /** What the next writes to the disk wait for. */
  const writes: Promise<unknown>[] = []
  /** Runs while the app waits, instead of the wait. */
  const meanwhile: { act: (ms: number) => Promise<void> } = { act: () => Promise.resolve() }
  const start = () =>
    openClient({
      origin: inject('siteUrl'),
      clientName: 'Ada’s MacBook',
      load: () => Promise.resolve(disk.kept),
      save: async (kept) => {
        const written = structuredClone(kept)
        await writes.shift()
        disk.kept = written
      },
      fetch: async (url, init) => {
        if (network.isCut) throw new TypeError('fetch failed')
        const rejection = rejections.shift()
        if (rejection !== undefined) return rejection
        const headers = { ...Object(init.headers), 'cf-connecting-ip': network.address }
        const delay = delays.shift()
        const response = await fetch(url, { ...init, headers })
        await delay?.()
        if (network.losesAnswers) throw new TypeError('fetch failed')
        return response
      },
      wait: async (ms) => {
        waits.push(ms)
        await meanwhile.act(ms)
      },
    })
  /** Takes the network away from the app, which then waits for it without end. */
  const goOffline = () => {
    network.isCut = true
    meanwhile.act = () => new Promise(() => undefined)
  }
  /** Keeps back the answer of the next call. */
  const holdAnswer = () => {
    const given = Promise.withResolvers<undefined>()
    const arrives = Promise.withResolvers<undefined>()
    delays.push(() => {
      given.resolve(undefined)
      return arrives.promise
    })
    return { isGiven: given.promise, arrive: () => arrives.resolve(undefined) }
  }
  return { disk, network, rejections, waits, writes, meanwhile, start, goOffline, holdAnswer }
}

type Machine = ReturnType<typeof machine>
type Client = Awaited<ReturnType<Machine['start']>>

/** Signs the app in while its user decides in the browser, during the first pause between two polls. */
async function signIn(
  client: Client,
  { meanwhile }: Pick<Machine, 'meanwhile'>,
  user: TestUser,
  approve = true,
) {
  const codes: string[] = []
  meanwhile.act = async () => {
    const userCode = codes.shift()
    if (userCode === undefined) return
    await askGood(user, confirmDeviceEndpoint, { body: { userCode, approve } })
  }
  await client.signIn((code) => codes.push(code))
}

async function signedIn(tokens: number) {
  const user = await createUser({ tokens })
  const it = machine()
  const client = await it.start()
  await signIn(client, it, user)
  return { ...it, user, client }
}

const usedBy = async (user: TestUser) =>
  (await askGood(user, currentSubscriptionEndpoint)).tokens.used

const appsOf = async (user: TestUser) =>
  (await askGood(user, sessionsEndpoint)).sessions.filter(({ kind }) => kind === 'desktop')

test('the client is one file of at most 210 lines without imports', () => {
  const text = readFileSync(join(root, 'docs/desktop-app/client.ts'), 'utf8')
  expect(text.split('\n').length - 1).toBeLessThanOrEqual(210)
  expect(text).not.toMatch(/^import|\brequire\(/m)
})

test('it signs in by a code, knows for how long, and spends', async () => {
  const { client, user, disk, start } = await signedIn(1_000)
  expect(await client.spend(100, { sessionId: 'interview-1', mode: 'interview' })).toBe('counted')
  const status = await client.status()
  expect(status).toMatchObject({ isSignedIn: true, tokensLeft: 900 })
  const days = (Number(status.sessionEndsAt) - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(90)
  expect(disk.kept?.queue).toEqual([])
  // The next start of the app needs no sign-in.
  expect(await (await start()).spend(100)).toBe('counted')
  expect(await usedBy(user)).toBe(200)
})

test('a code that is rejected is an error with a sentence', async () => {
  const it = machine()
  const client = await it.start()
  const refusing = signIn(client, it, await createUser(), false)
  await expect(refusing).rejects.toThrow('The sign-in was refused.')
  expect(await client.spend(1)).toBe('signed-out')
})

test('a code that the server does not give is an error with a sentence', async () => {
  const it = machine()
  it.rejections.push(rejection(400, 'VALIDATION_FAILED', 0))
  const client = await it.start()
  const shown: string[] = []
  await expect(client.signIn((code) => shown.push(code))).rejects.toThrow('Please wait.')
  expect(shown).toEqual([])
})

test('after a sign-out nothing is spent, not even offline', async () => {
  const { client, network, disk, start } = await signedIn(1_000)
  await client.signOut()
  network.isCut = true
  expect(await client.spend(10)).toBe('signed-out')
  expect(await (await start()).spend(10)).toBe('signed-out')
  expect(disk.kept?.queue).toEqual([])
})

test('what is spent offline is kept across a restart and counts once', async () => {
  const { client, user, network, disk, start, meanwhile, goOffline } = await signedIn(1_000)
  goOffline()
  for (let use = 0; use < 5; use += 1) expect(await client.spend(10)).toBe('queued')
  expect(disk.kept?.queue).toHaveLength(5)
  network.isCut = false
  // The first answer is lost on its way.
  network.losesAnswers = true
  meanwhile.act = () => {
    network.losesAnswers = false
    return Promise.resolve()
  }
  await (await start()).flush()
  expect(disk.kept?.queue).toEqual([])
  expect(await usedBy(user)).toBe(50)
})

test('a queued use that the server will never take is dropped and holds up no other', async () => {
  const { client, user, network, disk, start, goOffline } = await signedIn(1_000)
  goOffline()
  await client.spend(10)
  await client.spend(12.5)
  await client.spend(20, { sessionId: 'abc' })
  await client.spend(40, JSON.parse('{ "unknown": true }'))
  await client.spend(80)
  network.isCut = false
  await (await start()).flush()
  expect(disk.kept?.queue).toEqual([])
  expect(await usedBy(user)).toBe(90)
})

test('a write to the disk waits for the one before it', async () => {
  const { client, disk, writes, goOffline } = await signedIn(1_000)
  goOffline()
  const first = Promise.withResolvers<undefined>()
  writes.push(first.promise)
  const spent = Promise.all([client.spend(10), client.spend(20)])
  await new Promise(setImmediate)
  first.resolve(undefined)
  expect(await spent).toEqual(['queued', 'queued'])
  expect(disk.kept?.queue.map(({ amount }) => amount)).toEqual([10, 20])
})

test('what the disk does not take is made up for by the next write, and a use is counted once', async () => {
  const { client, user, disk, writes, start } = await signedIn(1_000)
  const failing = () => {
    const write = Promise.reject(new Error('EPERM'))
    write.catch(() => undefined)
    return write
  }
  writes.push(failing(), Promise.resolve())
  expect(await client.spend(10)).toBe('counted')
  writes.push(Promise.resolve(), failing())
  expect(await client.spend(20)).toBe('counted')
  writes.push(failing())
  expect(await client.status()).toMatchObject({ isSignedIn: true })
  await (await start()).flush()
  expect(disk.kept?.queue).toEqual([])
  expect(await usedBy(user)).toBe(30)
})

test('without tokens a use is rejected; what was queued waits until there are some', async () => {
  const { client, user, network, meanwhile, disk } = await signedIn(100)
  expect(await client.spend(101)).toBe('refused')
  expect(disk.kept?.queue).toEqual([])
  network.isCut = true
  meanwhile.act = () => {
    network.isCut = false
    return Promise.resolve()
  }
  await client.spend(80)
  await client.flush()
  network.isCut = true
  await client.spend(60)
  await client.spend(20)
  await client.flush()
  expect(disk.kept?.queue.map(({ amount }) => amount)).toEqual([60])
  expect(await usedBy(user)).toBe(100)
  const ctx = createFixture().ctx()
  const { userId: id, username, email } = user
  await ctx.db.batch({ grant: grantStatements(ctx, { id, username, email }, { tokens: 1_000 }) })
  await client.flush()
  expect(disk.kept?.queue).toEqual([])
  expect(await usedBy(user)).toBe(160)
})

test('five hundred queued uses for which too few tokens are left hold up no smaller one', async () => {
  const { user, disk, start } = await signedIn(50)
  const userId = disk.kept?.userId ?? ''
  const ofAmount = (amount: number) => ({ userId, amount, idempotencyKey: crypto.randomUUID() })
  const large = Array.from({ length: 500 }, () => ofAmount(60))
  disk.kept = { token: null, userId, ...disk.kept, queue: [...large, ofAmount(20), ofAmount(30)] }
  await (await start()).flush()
  expect(disk.kept?.queue).toEqual(large)
  expect(await usedBy(user)).toBe(50)
})

/** The Worker's answer over a limit, or while its database is down. */
function rejection(status: number, code: string, retryAfter: number | string): Response {
  const body = { success: false, code, message: 'Please wait.', requestId: 'r' }
  return Response.json(body, { status, headers: { 'Retry-After': String(retryAfter) } })
}

test('over the limit it waits as long as the server says', async () => {
  const it = machine()
  it.rejections.push(rejection(429, 'RATE_LIMITED', 60))
  const client = await it.start()
  await signIn(client, it, await createUser())
  expect(it.waits[0]).toBe(60_000)
  expect(await client.status()).toMatchObject({ isSignedIn: true })
})

test.each([
  ['seven seconds later', () => 7, 7_000],
  ['in an hour', () => new Date(Date.now() + 3_600_000).toUTCString(), 3_500_000],
  // A timer of a month ends at once.
  ['in a month, of which it waits for an hour', () => 2_592_000, 3_600_000],
])(
  'a use that the server does not take now is kept, sent when it says, %s, and counts once',
  async (_, retryAfter, leastMs) => {
    const { client, user, rejections, waits, disk } = await signedIn(1_000)
    const away = () => rejection(503, 'DATABASE_UNAVAILABLE', retryAfter())
    rejections.push(away(), away())
    waits.length = 0
    expect(await client.spend(10)).toBe('queued')
    await client.flush()
    expect(waits[0]).toBeGreaterThanOrEqual(leastMs)
    expect(waits[0]).toBeLessThanOrEqual(3_600_000)
    expect(disk.kept?.queue).toEqual([])
    expect(await usedBy(user)).toBe(10)
  },
)

test('when its user ends the session, what waits is sent after the next sign-in of the same account, and a rejected use is not', async () => {
  const { user, client: closed, ...it } = await signedIn(1_000)
  it.goOffline()
  expect(await closed.spend(10)).toBe('queued')
  it.network.isCut = false
  const client = await it.start()
  await askGood(user, endOtherSessionsEndpoint)
  expect(await client.spend(5)).toBe('signed-out')
  expect(it.disk.kept).toMatchObject({ token: null, queue: [{ amount: 10 }] })
  await signIn(client, it, user)
  await client.flush()
  expect(await usedBy(user)).toBe(10)
})

test.each([
  ['the same', false],
  ['another', true],
])(
  'what waits for the network, while %s account signs in, is sent for its own account alone',
  async (_, isOther) => {
    const { user, client, ...it } = await signedIn(1_000)
    const by = isOther ? await createUser({ tokens: 1_000 }) : user
    const pause = Promise.withResolvers<undefined>()
    it.network.isCut = true
    it.meanwhile.act = () => pause.promise
    expect(await client.spend(10)).toBe('queued')
    const flushed = client.flush()
    it.network.isCut = false
    await client.signOut()
    await signIn(client, it, by)
    pause.resolve(undefined)
    await flushed
    expect(await usedBy(by)).toBe(isOther ? 0 : 10)
    await signIn(client, it, user)
    await client.flush()
    expect(it.disk.kept?.queue).toEqual([])
    expect(await usedBy(user)).toBe(10)
  },
)

/** The app of a user, who has spent 10 tokens offline, and another user who is about to sign in to it. */
async function aboutToSwitch() {
  const it = await signedIn(1_000)
  const network = Promise.withResolvers<undefined>()
  it.network.isCut = true
  it.meanwhile.act = () => network.promise
  expect(await it.client.spend(10)).toBe('queued')
  it.network.isCut = false
  const other = await createUser({ tokens: 1_000 })
  const flushAll = async () => {
    network.resolve(undefined)
    await it.client.flush()
    await it.client.flush()
  }
  return { ...it, other, flushAll }
}

test('what the server says of an account after another has signed in is not about that one', async () => {
  const { client, other, flushAll, holdAnswer, disk, ...it } = await aboutToSwitch()
  const answer = holdAnswer()
  const status = client.status()
  await answer.isGiven
  await signIn(client, it, other)
  answer.arrive()
  expect(await status).toEqual({ isSignedIn: true, tokensLeft: null, sessionEndsAt: null })
  await flushAll()
  expect(disk.kept?.queue).toMatchObject([{ amount: 10 }])
  expect(await usedBy(other)).toBe(0)
  expect(await client.spend(20)).toBe('counted')
  expect(await usedBy(other)).toBe(20)
})

test('a sign-out keeps the token of an account that signs in meanwhile', async () => {
  const { client, other, holdAnswer, ...it } = await aboutToSwitch()
  const answer = holdAnswer()
  const signedOut = client.signOut()
  await answer.isGiven
  await signIn(client, it, other)
  answer.arrive()
  await signedOut
  expect(await client.spend(20)).toBe('counted')
  expect(await usedBy(other)).toBe(20)
})

test('a use is sent with the token of its account, though another signs in while it is stored', async () => {
  const { client, other, writes, ...it } = await aboutToSwitch()
  const written = Promise.withResolvers<undefined>()
  writes.push(written.promise)
  const spent = client.spend(20)
  const signingIn = signIn(client, it, other)
  await expect.poll(() => appsOf(other)).toHaveLength(1)
  // The new token arrives.
  await setTimeout(100)
  written.resolve(undefined)
  await Promise.all([spent, signingIn])
  expect(await usedBy(other)).toBe(0)
})

test('a sign-in ends the session before it, whose token nobody has any more', async () => {
  const { user, client, ...it } = await signedIn(1_000)
  await signIn(client, it, user)
  await expect.poll(() => appsOf(user)).toHaveLength(1)
  expect(await client.spend(10)).toBe('counted')
})

test('it knows whether its version may be used', async () => {
  const client = await machine().start()
  expect(await client.rejection('1.0.0')).toBeNull()
  expect(await client.rejection('0.9.12')).toMatch(/too old/)
})

test('while it cannot ask, the last answer says which versions may be used', async () => {
  const { rejections, network, start } = machine()
  const withdrawn = [{ version: '1.0.0', reason: 'It can be seen.' }]
  rejections.push(Response.json({ success: true, minimum: '0.9.0', withdrawn }))
  expect(await (await start()).rejection('1.0.0')).toBe('It can be seen.')
  network.isCut = true
  const client = await start()
  expect(await client.rejection('1.0.0')).toBe('It can be seen.')
  expect(await client.rejection('1.0.1')).toBeNull()
})

test('the example signs in, shows the balance and the newest version, spends for answers, and signs out', async () => {
  const user = await createUser({ tokens: 1_000 })
  const { file, input, sees, end } = startExample(inject('siteUrl'))
  const [, userCode = ''] = await sees(/confirm the code ([\w-]+)\./)
  await askGood(user, confirmDeviceEndpoint, { body: { userCode, approve: true } })
  await sees(/^1000 tokens left/m)
  await sees(/^Version 1\.0\.0 is the newest\.$/m)
  input.write('Why this job?\n')
  await sees(/You asked: "Why this job\?".* \(21 tokens, counted\)/)
  expect(await usedBy(user)).toBe(21)
  input.write(`${'Why? '.repeat(1_000)}\n`)
  await sees(/Too few tokens/)
  await end()
  expect(readFileSync(file, 'utf8')).toContain('"token":null')
})
