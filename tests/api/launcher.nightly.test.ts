import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { createOrderEndpoint } from '../../src/contract/purchase.ts'
import { registerEndpoint } from '../../src/contract/session.ts'
import { root } from '../../tools/launcher/settings.ts'
import { answers, waitUntil } from '../../tools/services/wait-until.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { launch, type Launched, ownSettings, untilReady } from '../harness/launch.ts'
import { newRegistration } from '../harness/registration.ts'
import { scratchFolder } from '../harness/scratch-folder.ts'
import { newVisitor, signedIn } from '../harness/visitor.ts'
import { controlOf } from '../harness/fixture/razorpay.ts'

const { path: dataDir, remove } = scratchFolder('launcher')
const stacks: Launched[] = []
afterAll(async () => {
  for (const { child, ended } of stacks) {
    child.kill()
    await ended
  }
  remove()
})

/** How many processes have our DATA_DIR: the launcher and all that it started. */
function processCount(): number {
  const mark = `DATA_DIR=${dataDir}`
  if (process.platform !== 'linux') {
    const options = ['-A', '-E', '-ww', '-o', 'command=']
    return execFileSync('ps', options).toString().split(mark).length - 1
  }
  const running = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return running.filter((pid) => environmentOf(pid).includes(mark)).length
}

/** The environment of a process; empty when it has ended or belongs to another user. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}

test('kill -9 of the launcher leaves no process running, and what was answered with success is kept; the same copy starts once', async () => {
  const settings = await ownSettings(dataDir)
  const begin = () => {
    const stack = launch(root, 'start', settings)
    stacks.push(stack)
    return stack
  }
  const start = async () => {
    const stack = begin()
    await untilReady(stack)
    return stack
  }
  const killed = await start()
  const url = `http://127.0.0.1:${settings.PORT}`
  const visitor = newVisitor(url)
  const body = newRegistration()
  const { token } = await askGood(visitor, registerEndpoint, { body })
  const me = signedIn(visitor, token)
  const { order } = await askGood(me, createOrderEndpoint, { body: { planType: 'pro' } })
  const second = begin()
  expect(await second.ended).toBe(1)
  expect(second.text()).toMatch(/^Already running at http:\/\/localhost:\d+ \(process \d+\)\./m)
  expect(processCount()).toBeGreaterThan(4)
  killed.child.kill('SIGKILL')
  await killed.ended
  const areGone = () => Promise.resolve(processCount() === 0)
  expect(await waitUntil(areGone, { timeoutMs: 10_000 })).toBe(true)

  const restarted = await start()
  expect(bad(await ask(newVisitor(url), registerEndpoint, { body })).code).toBe('EMAIL_TAKEN')
  // The emulator still knows the order.
  await controlOf(`http://127.0.0.1:${settings.RAZORPAY_PORT}`).pay(order.id)
  restarted.child.kill('SIGINT')
  expect(await restarted.ended).toBe(0)
  expect(await answers(url)).toBe(false)
})
