import { expect, onTestFinished, test } from 'vitest'
import { startSqld } from '../../tests/harness/services.ts'
import { Replica } from './replica.ts'

const WRITE = { sql: "UPDATE users SET username = 'nobody' WHERE false", args: [] }
const READ = { sql: 'SELECT 1 AS one', args: [] }

/** A primary, and a replica that gets nothing of it. */
async function setUp() {
  const [primary, stuck] = [await startSqld(), await startSqld()]
  onTestFinished(primary.stop)
  onTestFinished(stuck.stop)
  const clock = { now: 1_000_000 }
  const faults: unknown[] = []
  const replica = new Replica({
    url: stuck.url,
    authToken: '',
    clock: () => clock.now,
    onFault: (error) => faults.push(error),
  })
  const server = { url: primary.url, authToken: '', streams: null, timeoutMs: 5_000 }
  return {
    clock,
    faults,
    stuck,
    write: () => replica.askPrimary(server, [WRITE], 'write'),
    readFar: () => replica.askPrimary(server, [READ], 'read'),
    readNear: (seen: number) => replica.read([READ], seen),
    isResting: () => replica.isResting(),
  }
}

test('each write is later than the one before, also when clocks differ, and reads tell the last', async () => {
  const { clock, write, readFar } = await setUp()
  expect((await readFar()).at).toBe(0)
  const first = await write()
  const second = await write()
  clock.now -= 60_000
  const third = await write()
  expect([first.at, second.at, third.at]).toEqual([1_000_000, 1_000_001, 1_000_002])
  const { at, results } = await readFar()
  expect(at).toBe(1_000_002)
  expect(results.map(({ rows }) => rows[0]?.['one'])).toEqual([1])
})

test('a replica is not read by who has seen more, and after ten seconds by nobody when it gets nothing', async () => {
  const { clock, faults, write, readFar, readNear } = await setUp()
  const { at } = await write()
  expect(await readNear(at)).toBeNull()
  expect(await readNear(0)).toMatchObject({ at: 0 })
  clock.now += 9_000
  await readFar()
  expect(await readNear(0)).toMatchObject({ at: 0 })
  clock.now += 1_000
  await readFar()
  expect(await readNear(0)).toBeNull()
  expect(faults).toEqual([])
})

test('a replica that does not answer is left alone for five seconds', async () => {
  const { clock, faults, stuck, readNear, isResting } = await setUp()
  await stuck.kill()
  expect(isResting()).toBe(false)
  expect(await readNear(0)).toBeNull()
  expect(faults).toHaveLength(1)
  expect(isResting()).toBe(true)
  clock.now += 5_000
  expect(isResting()).toBe(false)
})
