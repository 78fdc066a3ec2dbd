import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kept, openClient } from '../../docs/desktop-app/client.ts'
import { confirmDeviceEndpoint } from '../../src/contract/device.ts'
import { RATE_LIMITS } from '../../src/contract/limits.ts'
import { endOtherSessionsEndpoint } from '../../src/contract/session.ts'
import { currentSubscriptionEndpoint } from '../../src/contract/subscription.ts'
import { root } from '../../tools/launcher/settings.ts'
import { askGood } from '../harness/ask.ts'
import { grantStatements } from '../harness/holding.ts'
import { createMember, type Member } from '../harness/member.ts'
import { type Site, startSite } from '../harness/services.ts'
import { newAddress, newVisitor } from '../harness/visitor.ts'
import { createWorld } from '../harness/world/world.ts'

// docs/desktop-app/client.ts against a site of its own, because its database is killed.
const state: { site?: Site } = {}
beforeAll(async () => {
  state.site = await startSite()
})
afterAll(() => state.site?.stop())

function site(): Site {
  if (state.site === undefined) throw new Error('the site did not start')
  return state.site
}

const place = () => ({ siteUrl: site().worker.url, databaseUrl: site().sqld.url })

/** A machine with the app on it: what it has stored, and its network. */
function machine() {
  const disk: { kept: Kept | null } = { kept: null }
  const network = { isCut: false, losesAnswers: false, address: newAddress() }
  const waits: number[] = []
  /** What happens while the app waits, instead of the time that passes. */
  const meanwhile: { act: (ms: number) => Promise<void> } = { act: () => Promise.resolve() }
  const start = () =>
    openClient({
      origin: site().worker.url,
      clientName: 'Ada’s MacBook',
      load: () => Promise.resolve(disk.kept),
      save: (kept) => {
        disk.kept = structuredClone(kept)
        return Promise.resolve()
      },
      fetch: async (url, init) => {
        if (network.isCut) throw new TypeError('fetch failed')
        const headers = { ...Object(init.headers), 'cf-connecting-ip': network.address }
        const response = await fetch(url, { ...init, headers })
        if (network.losesAnswers) throw new TypeError('fetch failed')
        return response
      },
      wait: async (ms) => {
        waits.push(ms)
        await meanwhile.act(ms)
      },
    })
  return { disk, network, waits, meanwhile, start }
}

type Machine = ReturnType<typeof machine>
type Client = Awaited<ReturnType<Machine['start']>>

/** Signs the app in while its user decides in the browser, during the first pause between two polls. */
async function signIn(client: Client, { meanwhile }: Machine, member: Member, approve = true) {
  const codes: string[] = []
  meanwhile.act = async () => {
    const userCode = codes.shift()
    if (userCode === undefined) return
    await askGood(member, confirmDeviceEndpoint, { body: { userCode, approve } })
  }
  await client.signIn((code) => codes.push(code))
}

async function signedIn(tokens: number) {
  const member = await createMember({ ...place(), tokens })
  const it = machine()
  const client = await it.start()
  await signIn(client, it, member)
  return { ...it, member, client }
}

const usedBy = async (member: Member) =>
  (await askGood(member, currentSubscriptionEndpoint)).tokens.used

test('the client is one file of at most 200 lines without imports', () => {
  const text = readFileSync(join(root, 'docs/desktop-app/client.ts'), 'utf8')
  expect(text.split('\n').length - 1).toBeLessThanOrEqual(200)
  expect(text).not.toMatch(/^import|\brequire\(/m)
})

test('it signs in by a code, knows for how long, and spends', async () => {
  const { client, member, disk, start } = await signedIn(1_000)
  expect(await client.spend(100, { sessionId: 'interview-1', mode: 'interview' })).toBe('counted')
  const status = await client.status()
  expect(status).toMatchObject({ isSignedIn: true, tokensLeft: 900 })
  const days = (Number(status.sessionEndsAt) - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(90)
  expect(disk.kept?.queue).toEqual([])
  // The next start of the app needs no sign-in.
  expect(await (await start()).spend(100)).toBe('counted')
  expect(await usedBy(member)).toBe(200)
})

test('a code that is refused is an error with a sentence', async () => {
  const it = machine()
  const client = await it.start()
  const refusing = signIn(client, it, await createMember(place()), false)
  await expect(refusing).rejects.toThrow('The sign-in was refused.')
  expect(await client.spend(1)).toBe('signed-out')
})

test('what is spent offline is kept across a restart and counts once', async () => {
  const { client, member, network, disk, start, meanwhile } = await signedIn(1_000)
  network.isCut = true
  // As long as the network is away the app waits, and is then closed.
  meanwhile.act = () => new Promise(() => undefined)
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
  expect(await usedBy(member)).toBe(50)
})

test('an answer that is lost is not paid for twice', async () => {
  const { client, member, network, meanwhile, disk } = await signedIn(1_000)
  network.losesAnswers = true
  meanwhile.act = () => {
    network.losesAnswers = false
    return Promise.resolve()
  }
  expect(await client.spend(10)).toBe('queued')
  await client.flush()
  expect(disk.kept?.queue).toEqual([])
  expect(await usedBy(member)).toBe(10)
})

test('without tokens a use is refused; what was queued waits until there are some', async () => {
  const { client, member, network, meanwhile, disk } = await signedIn(100)
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
  expect(await usedBy(member)).toBe(100)
  const ctx = createWorld({ databaseUrl: site().sqld.url }).ctx()
  const { userId: id, username, email } = member
  await ctx.db.batch({ grant: grantStatements(ctx, { id, username, email }, { tokens: 1_000 }) })
  await client.flush()
  expect(disk.kept?.queue).toEqual([])
  expect(await usedBy(member)).toBe(160)
})

test('over the limit it waits as long as the server says', async () => {
  const member = await createMember(place())
  const it = machine()
  const hasty = newVisitor(site().worker.url)
  it.network.address = hasty.address
  // Counters start again each minute.
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 15_000) await pause(left)
  for (let call = 0; call < RATE_LIMITS.device; call += 1)
    await hasty.call('/api/device/code', { json: {} })
  const client = await it.start()
  const codes: string[] = []
  it.meanwhile.act = async () => {
    // A minute later.
    it.network.address = newAddress()
    const userCode = codes.shift()
    if (userCode === undefined) return
    await askGood(member, confirmDeviceEndpoint, { body: { userCode, approve: true } })
  }
  await client.signIn((code) => codes.push(code))
  expect(it.waits[0]).toBe(60_000)
  expect(await client.status()).toMatchObject({ isSignedIn: true })
})

test('while the database is away uses are kept; afterwards each counts once', async () => {
  const { client, member, meanwhile, waits, disk } = await signedIn(1_000)
  await site().sqld.kill()
  meanwhile.act = async () => {
    await site().sqld.restart()
  }
  waits.length = 0
  expect(await client.spend(10)).toBe('queued')
  await client.flush()
  expect(waits[0]).toBeGreaterThanOrEqual(1_000)
  expect(disk.kept?.queue).toEqual([])
  expect(await usedBy(member)).toBe(10)
})

test('when its user ends the session the use is kept for the next sign-in of the same account', async () => {
  const { member, client, ...it } = await signedIn(1_000)
  await askGood(member, endOtherSessionsEndpoint)
  expect(await client.spend(10)).toBe('signed-out')
  expect(it.disk.kept).toMatchObject({ token: null, queue: [{ amount: 10 }] })
  const other = await createMember({ ...place(), tokens: 1_000 })
  await signIn(client, it, other)
  await client.flush()
  expect(await usedBy(other)).toBe(0)
  await signIn(client, it, member)
  await client.flush()
  expect(await usedBy(member)).toBe(10)
})

test('it knows whether its version may be used', async () => {
  const client = await machine().start()
  expect(await client.refusal('1.0.0')).toBeNull()
  expect(await client.refusal('0.9.12')).toMatch(/too old/)
})
