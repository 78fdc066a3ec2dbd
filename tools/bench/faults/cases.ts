import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { scratchFolder } from '../../../tests/harness/scratch-folder.ts'
import { newBuyer } from '../../../tests/harness/world/buyer.ts'
import { controlOf } from '../../../tests/harness/world/razorpay.ts'
import type { Outcome } from './load.ts'
import { workerdOf } from '../cpu.ts'
import type { Stack } from './stack.ts'

/** Kills one process that we started and gives its supervisor time to start it again. */
export async function killPart(
  part: 'database' | 'Worker' | 'host',
  { database, host }: Stack,
): Promise<void> {
  await pause(2_000)
  const pid = part === 'Worker' ? workerdOf(host) : (part === 'host' ? host : database).pid()
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
  await pause(8_000)
}

/** The database exists and does not answer, as when its machine stalls. */
export async function stopDatabase({ database }: Stack, seconds: number): Promise<void> {
  const pid = database.pid() ?? 0
  await pause(2_000)
  process.kill(pid, 'SIGSTOP')
  await pause(seconds * 1_000)
  process.kill(pid, 'SIGCONT')
  await pause(4_000)
}

/** A disk of 64 MB in memory. Null where it cannot be mounted: that needs root on Linux. */
export function mountSmallDisk(): { folder: string; unmount: () => void } | null {
  const { path: folder, remove } = scratchFolder('disk')
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    remove()
    return null
  }
  return {
    folder,
    unmount: () => {
      execFileSync('umount', [folder])
      remove()
    },
  }
}

/** Fills the disk to the last byte for a while. */
export async function fillDisk(folder: string, seconds: number): Promise<void> {
  await pause(2_000)
  const filler = join(folder, 'filler')
  mkdirSync(filler)
  const sizes = [1_000_000, 4_096, 1]
  for (const [at, size] of sizes.entries()) fillWith(join(filler, String(at)), size)
  console.log(`  free on the full disk: ${statfsSync(folder).bavail} blocks`)
  await pause(seconds * 1_000)
  rmSync(filler, { recursive: true })
  await pause(4_000)
}

function fillWith(prefix: string, bytes: number): void {
  for (let each = 0; each < 10_000; each += 1) {
    try {
      writeFileSync(`${prefix}-${each}`, Buffer.alloc(bytes))
    } catch {
      return
    }
  }
}

const HANGING_BUYERS = 8

/**
 * Razorpay takes calls and does not answer. Orders made before are paid meanwhile, and more are asked for. Acknowledged
 * is captured money, lost is captured money without tokens a minute later.
 */
export async function hangProvider(
  { url, databaseUrl, emulatorUrl }: Stack,
  seconds: number,
): Promise<Outcome> {
  const razorpay = controlOf(emulatorUrl)
  const outcome = { acknowledged: 0, failed: 0, reads: 0, lost: 0, doubled: 0, longestMs: 0 }
  const buyers = []
  for (let each = 0; each < HANGING_BUYERS; each += 1) {
    const buyer = await newBuyer(url, databaseUrl)
    buyers.push({ buyer, order: (await buyer.order()).order })
  }
  await razorpay.fault({ match: { path: '/v1/*' }, times: null, action: { type: 'hang' } })
  const over = pause(seconds * 1_000)
  const timed = async (call: () => Promise<{ status: number }>) => {
    const startedAt = performance.now()
    const { status } = await call()
    outcome.longestMs = Math.max(outcome.longestMs, performance.now() - startedAt)
    return status
  }
  await Promise.all(
    buyers.map(async ({ buyer, order }) => {
      const json = await razorpay.pay(order.id)
      outcome.acknowledged += 1
      await timed(() => buyer.call('/api/payment/verify-payment', { json }))
      const another = await newBuyer(url, databaseUrl)
      const json2 = { planType: 'pro', preferredCurrency: 'USD' }
      const status = await timed(() => another.call('/api/payment/create-order', { json: json2 }))
      if (status !== 200) outcome.failed += 1
    }),
  )
  await over
  await razorpay.clearFaults()
  const end = performance.now() + 75_000
  for (const { buyer } of buyers) {
    let total = 0
    while (total === 0 && performance.now() < end) {
      total = (await buyer.balance()).tokens.total
      if (total === 0) await pause(1_000)
    }
    if (total === 0) outcome.lost += 1
    if (total > 1_000_000) outcome.doubled += 1
  }
  return outcome
}
