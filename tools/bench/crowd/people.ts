import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { createMember } from '../../../tests/harness/member.ts'
import type { Site } from '../../../tests/harness/services.ts'
import { Connection } from '../load.ts'
import { nextCall, seededRandom, type User } from './mix.ts'

/** Between two calls of a user, in milliseconds, from one to the other by chance. */
export const THINK_MS = [1_000, 3_000] as const
/** After so long without an answer a page gives up, too (src/stores/browser.ts). */
const PATIENCE_MS = 20_000
const MADE_AT_ONCE = 8

/** One call of a user, as it went. Times in milliseconds, `at` by the clock of `performance`. */
export interface Seen {
  name: string
  /** 0 when no answer came. */
  status: number
  isExpected: boolean
  hasRetryAfter: boolean
  at: number
  ms: number
}

const Code = z.object({ device_code: z.string() })

/** Makes users with a plan, each with an address and a device code of their own. `seed` is that of the first one. */
export async function makePeople(site: Site, count: number, seed: number): Promise<User[]> {
  const place = { siteUrl: site.worker.url, databaseUrl: site.sqld.url, hasPlan: true }
  const users: User[] = []
  let begun = 0
  const maker = async () => {
    while (begun < count) {
      const random = seededRandom(seed + begun)
      begun += 1
      const member = await createMember(place)
      const { body } = await member.call('/api/device/code', { json: {} })
      users.push({ ...member, deviceCode: Code.parse(body).device_code, random })
    }
  }
  await Promise.all(Array.from({ length: MADE_AT_ONCE }, maker))
  return users
}

/** Lets a user call and think until the time is over, over one connection as a browser has it. Nobody waits for `Retry-After`. */
export async function live(
  user: User,
  { origin, until, note }: { origin: URL; until: number; note: (seen: Seen) => void },
): Promise<void> {
  const think = async (shortest: number, longest: number) => {
    const ms = shortest + user.random() * (longest - shortest)
    await pause(Math.max(0, Math.min(ms, until - performance.now())))
  }
  let connection = new Connection(origin)
  // They do not all come at one instant.
  await think(0, THINK_MS[1])
  while (performance.now() < until) {
    if (!connection.isOpen()) connection = new Connection(origin)
    note(await send(connection, user))
    await think(...THINK_MS)
  }
  connection.end()
}

async function send(connection: Connection, user: User): Promise<Seen> {
  const { name, shot, status: expected } = nextCall(user)
  const { headers, ...rest } = shot(user)
  const at = performance.now()
  const patience = setTimeout(() => {
    connection.end()
  }, PATIENCE_MS)
  try {
    const { status, head, ms } = await connection.send({
      ...rest,
      headers: { 'cf-connecting-ip': user.address, ...headers },
    })
    const hasRetryAfter = /\r\nretry-after: \d/i.test(head)
    return { name, status, isExpected: status === expected, hasRetryAfter, at, ms }
  } catch {
    const ms = performance.now() - at
    connection.end()
    return { name, status: 0, isExpected: false, hasRetryAfter: false, at, ms }
  } finally {
    clearTimeout(patience)
  }
}
