import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAlive } from './process-list.ts'
import { waitUntil } from './wait-until.ts'

const script = `
import { spawn } from 'node:child_process'
import { startReaper } from '${join(import.meta.dirname, 'reaper.ts')}'
const reaper = startReaper()
const sleeper = () => spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }).pid
const pids = [sleeper(), sleeper(), sleeper()]
pids.forEach((pid) => reaper.watch(pid))
reaper.forget(pids[1])
console.log(pids.join(' '))
setInterval(() => {}, 1000)
`

/** A process of its own with a reaper and three sleepers, the second of which is no longer watched. */
function startSleepers(): Promise<{ starter: number; sleepers: number[] }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve) => {
    child.stdout.once('data', (bytes: Buffer) => {
      resolve({ starter: child.pid ?? 0, sleepers: bytes.toString().trim().split(' ').map(Number) })
    })
  })
}

test('a starter that is killed outright takes the watched groups with it, and no other', async () => {
  const { starter, sleepers } = await startSleepers()
  expect(sleepers.map(isAlive)).toEqual([true, true, true])
  process.kill(starter, 'SIGKILL')
  const areGone = () => Promise.resolve(!isAlive(sleepers[0] ?? 0) && !isAlive(sleepers[2] ?? 0))
  expect(await waitUntil(areGone, { timeoutMs: 10_000 })).toBe(true)
  expect(isAlive(sleepers[1] ?? 0)).toBe(true)
  process.kill(sleepers[1] ?? 0)
})
