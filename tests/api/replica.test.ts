import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { meEndpoint } from '../../src/contract/account.ts'
import { BOOKMARK_HEADER } from '../../src/contract/bookmark.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { sessionsEndpoint } from '../../src/contract/session.ts'
import { useTokensEndpoint } from '../../src/contract/report-usage.ts'
import { ask, bad, good } from '../harness/ask.ts'
import { createMember, type Member } from '../harness/member.ts'
import { type Recorder, startRecorder } from '../harness/recorder.ts'
import {
  type Emulator,
  type Replicated,
  startEmulator,
  startReplicated,
  startWorker,
  type Worker,
} from '../harness/services.ts'

/** Longer than a call takes, so that a replica is behind just after a write. */
const LAG_MS = 200

interface Site extends Replicated {
  worker: Worker
  emulator: Emulator
  /** In front of the replica. */
  recorder: Recorder
}

const state: { site?: Site } = {}
beforeAll(async () => {
  const [replicated, emulator] = await Promise.all([
    startReplicated({ lagMs: LAG_MS }),
    startEmulator({ webhookUrl: 'http://127.0.0.1:9/none' }),
  ])
  const recorder = await startRecorder(replicated.replica.url)
  const worker = await startWorker({
    databaseUrl: replicated.primary.url,
    emulatorUrl: emulator.url,
    vars: { DATABASE_REPLICA_URL: recorder.url },
  })
  state.site = { ...replicated, worker, emulator, recorder }
})
afterAll(async () => {
  if (state.site === undefined) return
  const { worker, recorder, emulator, stop } = state.site
  await worker.stop()
  await recorder.stop()
  await Promise.all([emulator.stop(), stop()])
})

function site(): Site {
  if (state.site === undefined) throw new Error('the site did not start')
  return state.site
}

/** Somebody who sends the bookmark of their last answer with each call, as our clients do. */
class Reader {
  private readonly member: Member
  private bookmark = ''
  used = 0

  constructor(member: Member) {
    this.member = member
  }

  async ask(endpoint: Endpoint, body?: object) {
    const headers = { [BOOKMARK_HEADER]: this.bookmark }
    const answer = await ask(this.member, endpoint, { headers, ...(body && { body }) })
    this.bookmark = answer.headers.get(BOOKMARK_HEADER) ?? this.bookmark
    return answer
  }

  askWithoutBookmark(endpoint: Endpoint) {
    return ask(this.member, endpoint)
  }

  async write(): Promise<void> {
    const answer = await this.ask(useTokensEndpoint, { amount: 1 })
    this.used += 1
    expect(good(useTokensEndpoint, answer).tokens.used).toBe(this.used)
  }

  /** Expects to see all that was written. */
  async read(): Promise<void> {
    const { user } = good(meEndpoint, await this.ask(meEndpoint))
    expect(user.tokens.used).toBe(this.used)
  }

  /** Whether the replica is asked for a read. */
  async isNear(): Promise<boolean> {
    const before = site().recorder.rowsRead()
    await this.read()
    return site().recorder.rowsRead() > before
  }
}

/** A reader who has written, and whose replica has got that. */
async function newReader(): Promise<Reader> {
  const { worker, primary } = site()
  const place = { siteUrl: worker.url, databaseUrl: primary.url }
  const reader = new Reader(await createMember({ ...place, tokens: 10_000 }))
  await reader.write()
  await untilNear(reader)
  return reader
}

async function untilNear(reader: Reader): Promise<void> {
  await expect.poll(() => reader.isNear()).toBe(true)
  await pause(2 * LAG_MS)
}

/** What a call answers within a second and a half, or null. */
function soon<Result>(answer: Promise<Result>): Promise<Result | null> {
  return Promise.race([answer, pause(1_500, null)])
}

test('a read that may lag comes from the replica when its caller sends a bookmark, every other from the primary', async () => {
  const reader = await newReader()
  site().primary.freeze()
  const waiting = [reader.askWithoutBookmark(meEndpoint), reader.ask(sessionsEndpoint)]
  const seen = await Promise.all([...waiting.map(soon), soon(reader.ask(meEndpoint))])
  site().primary.thaw()
  expect(seen.map((answer) => answer?.status)).toEqual([undefined, undefined, 200])
  for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200)
})

test('who wrote reads it at once: from the primary while the replica is behind, and then from the replica', async () => {
  const reader = await newReader()
  const before = site().recorder.rowsRead()
  for (let time = 0; time < 40; time += 1) {
    await reader.write()
    await reader.read()
    await pause(10 * (time % 30))
    await reader.read()
  }
  expect(site().recorder.rowsRead()).toBeGreaterThan(before)
})

test('who wrote reads it while the replica answers nobody, and after it does again', async () => {
  const reader = await newReader()
  site().replica.freeze()
  for (let time = 0; time < 10; time += 1) {
    await reader.write()
    await reader.read()
  }
  site().replica.thaw()
  for (let time = 0; time < 10; time += 1) {
    await reader.write()
    await reader.read()
  }
  await untilNear(reader)
})

test('without the replica all reads come from the primary, and one line in the log says so', async () => {
  const reader = await newReader()
  const faults = () =>
    site()
      .worker.log()
      .filter((line) => line.includes('the replica failed')).length
  const before = faults()
  await site().replica.kill()
  for (let time = 0; time < 10; time += 1) {
    await reader.write()
    await reader.read()
  }
  expect(faults()).toBe(before + 1)
  await site().replica.restart()
  await untilNear(reader)
})

test('without the primary reads that may lag go on, all else answers 503; when it is back nothing is lost or old', async () => {
  const reader = await newReader()
  await site().primary.kill()
  for (let time = 0; time < 20; time += 1) await reader.read()
  const refused = [
    await reader.ask(useTokensEndpoint, { amount: 1 }),
    await reader.ask(sessionsEndpoint),
    await reader.askWithoutBookmark(meEndpoint),
  ]
  for (const answer of refused) {
    expect(bad(answer)).toMatchObject({ status: 503, code: 'DATABASE_UNAVAILABLE' })
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
  }
  await site().primary.restart()
  // The server counts its changes anew after a crash, and the replica takes a moment to notice.
  for (let time = 0; time < 100; time += 1) {
    await reader.write()
    await reader.read()
  }
  await untilNear(reader)
})
