import { createMember } from '../../tests/harness/member.ts'
import { startEmulator, startReplicated, startWorker } from '../../tests/harness/services.ts'
import { newAddress } from '../../tests/harness/visitor.ts'
import { BOOKMARK_HEADER } from '../../src/contract/bookmark.ts'
import { startFarLink } from '../services/far-link.ts'
import { quantile } from './figures.ts'
import type { Findings } from './findings.ts'
import { Connection, type Hit, type Shot } from './load.ts'
import { printRows } from './table.ts'

/** How far the primary is, in milliseconds to it and back, for the Worker and for the replica beside that. */
const FAR_MS = 80
const CALLS = 100
/** Enough for the replica to get what was just written. */
const CAUGHT_UP_MS = 500

const USE: Shot = {
  method: 'POST',
  path: '/api/subscription/use-tokens',
  body: { amount: 1 },
}
const ME: Shot = { method: 'GET', path: '/api/auth/me' }
const USAGE: Shot = { method: 'GET', path: '/api/usage' }

/**
 * `npm run bench -- replica`: reads of one caller whose Worker is far from the primary and near a replica, with and without
 * a bookmark, and just after a write. Nothing can be broken: it depends on the machine.
 */
export async function benchReplica(): Promise<Findings> {
  const { primary, replica, stop } = await startReplicated({ lagMs: FAR_MS })
  const emulator = await startEmulator({ webhookUrl: 'http://127.0.0.1:9/none' })
  const far = await startFarLink(primary.port, FAR_MS)
  const worker = await startWorker({
    databaseUrl: `http://127.0.0.1:${far.port}`,
    emulatorUrl: emulator.url,
    vars: { DATABASE_REPLICA_URL: replica.url },
  })
  const connection = new Connection(new URL(worker.url))
  try {
    const place = { siteUrl: worker.url, databaseUrl: primary.url }
    const { bearer } = await createMember({ ...place, hasPlan: true })
    const send = (shot: Shot, bookmark = '') => {
      const headers = {
        authorization: `Bearer ${bearer}`,
        'cf-connecting-ip': newAddress(),
        [BOOKMARK_HEADER]: bookmark,
      }
      return connection.send({ ...shot, headers })
    }
    const series: Record<string, () => Promise<Hit>> = {
      'me, no bookmark': () => send(ME),
      'me, bookmark': () => send(ME, bookmark),
      'usage, no bookmark': () => send(USAGE),
      'usage, bookmark': () => send(USAGE, bookmark),
      'me, just after a write': async () => send(ME, bookmarkOf(await send(USE))),
    }
    const bookmark = bookmarkOf(await send(USE))
    await new Promise((resolve) => setTimeout(resolve, CAUGHT_UP_MS))
    const rows = []
    for (const [name, one] of Object.entries(series)) {
      const hits = []
      for (let call = 0; call < CALLS; call += 1) hits.push(await one())
      rows.push({ name, ...summary(hits) })
    }
    console.log(`\nwith ${FAR_MS} ms to the primary and back, and a replica near`)
    const cells = rows.map(({ name, p50, p99, trips }) => [
      name,
      p50.toFixed(1),
      p99.toFixed(1),
      trips.toFixed(2),
    ])
    printRows(['read', 'p50 ms', 'p99 ms', 'trips'], cells)
    const lines = rows.map(({ name, p50 }) => `${name}: ${p50.toFixed(0)} ms`)
    return { figures: { rows }, lines, broken: [] }
  } finally {
    connection.end()
    await worker.stop()
    far.close()
    await Promise.all([emulator.stop(), stop()])
  }
}

function bookmarkOf({ head }: Hit): string {
  const [, bookmark = ''] = /\r\nx-bookmark: (\d+)/i.exec(head) ?? []
  return bookmark
}

function summary(hits: readonly Hit[]) {
  const times = hits.map(({ ms }) => ms)
  const trips = hits.map(({ head }) => Number(/trips=(\d+)/.exec(head)?.[1]))
  const mean = trips.reduce((sum, each) => sum + each, 0) / trips.length
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), trips: mean }
}
