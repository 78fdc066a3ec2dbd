import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { exportDataEndpoint } from '../../src/contract/notice.ts'
import { createOrderEndpoint, verifyPaymentEndpoint } from '../../src/contract/purchase.ts'
import { registerEndpoint } from '../../src/contract/session.ts'
import { verifyEmailEndpoint } from '../../src/contract/credential.ts'
import { currentSubscriptionEndpoint } from '../../src/contract/subscription.ts'
import { useTokensEndpoint } from '../../src/contract/report-usage.ts'
import { root } from '../../tools/launcher/settings.ts'
import { freePort } from '../../tools/services/ports.ts'
import { answers, waitUntil } from '../../tools/services/wait-until.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { launch, untilReady, type Launched } from '../harness/launch.ts'
import { scratchFolder } from '../harness/scratch-folder.ts'
import { newVisitor, type Visitor } from '../harness/visitor.ts'
import { controlOf } from '../harness/world/razorpay.ts'

const timeout = 90_000
const PASSWORD = 'Correct-Horse-7'
const { path: dataDir, remove: removeData } = scratchFolder('launcher')
const port = await freePort()
const dbPort = await freePort()
const razorpayPort = await freePort()
const url = `http://127.0.0.1:${port}`

let stack: Launched | undefined

/** The running stack, started again after a test that stopped it. */
async function running(): Promise<Launched> {
  const { exitCode, signalCode } = stack?.child ?? { exitCode: 0, signalCode: null }
  if (stack === undefined || exitCode !== null || signalCode !== null) stack = await startAndWait()
  return stack
}

beforeEach(async () => {
  await running()
}, timeout)

afterAll(async () => {
  stack?.child.kill()
  await stack?.ended
  removeData()
})

/** `npm start` on ports and with a data folder of this file. */
function start(): Launched {
  return launch(root, 'start', {
    PORT: String(port),
    DB_PORT: String(dbPort),
    RAZORPAY_PORT: String(razorpayPort),
    DATA_DIR: dataDir,
  })
}

async function startAndWait(): Promise<Launched> {
  const launched = start()
  await untilReady(launched)
  return launched
}

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

function newcomer(username: string) {
  const email = `${username}@example.test`
  return { username, email, password: PASSWORD, confirmPassword: PASSWORD }
}

const Mailbox = z.array(z.object({ to: z.string(), links: z.array(z.url()) }))

/** The secret of the verification link that the local mailbox shows for an address. */
async function mailedSecret(visitor: Visitor, email: string): Promise<string> {
  const mails = Mailbox.parse((await visitor.call('/__local/mail.json')).body)
  const links = mails.filter(({ to }) => to === email).flatMap((mail) => mail.links)
  const link = links.find((address) => address.startsWith(`http://localhost:${port}/verify-email/`))
  return link?.split('/').at(-1) ?? ''
}

test(
  'one command starts everything: a script registers, verifies, buys, uses tokens and is refunded',
  { timeout },
  async () => {
    const visitor = newVisitor(url)
    expect((await visitor.call('/')).headers.get('Content-Type')).toMatch(/^text\/html/)
    const body = newcomer('kept_one')
    const { token } = await askGood(visitor, registerEndpoint, { body })
    const me: Pick<Visitor, 'call'> = {
      call: (path, options = {}) => visitor.call(path, { bearer: token, ...options }),
    }
    const balance = async () => {
      const { tokens, subscription } = await askGood(me, currentSubscriptionEndpoint)
      return { ...tokens, status: subscription.status }
    }
    const secret = await mailedSecret(visitor, body.email)
    await askGood(visitor, verifyEmailEndpoint, { params: { token: secret } })
    const ordered = await askGood(me, createOrderEndpoint, { body: { planType: 'pro' } })
    const razorpay = controlOf(`http://127.0.0.1:${razorpayPort}`)
    const triple = await razorpay.pay(ordered.order.id)
    await askGood(me, verifyPaymentEndpoint, { body: triple })
    expect(await balance()).toEqual({ used: 0, total: 1_020_000, status: 'active' })
    await askGood(me, useTokensEndpoint, { body: { amount: 1_200 } })
    await razorpay.send('POST', `/payments/${triple.paymentId}/refund`, { amount: 3_500 })
    // The webhook reports the refund. What was used came from the trial, which stays.
    await expect.poll(balance).toEqual({ used: 1_200, total: 20_000, status: 'past_due' })
    const { data } = await askGood(me, exportDataEndpoint)
    expect(data).toMatchObject({ user: { email: body.email }, purchases: [{ status: 'refunded' }] })
  },
)

test('a second start of the same copy says that it is already running', { timeout }, async () => {
  const second = start()
  onTestFinished(() => void second.child.kill())
  expect(await second.ended).toBe(1)
  expect(second.text()).toMatch(/^Already running at http:\/\/localhost:\d+ \(process \d+\)\./m)
})

test(
  'kill -9 of the launcher leaves no process running, and what was answered with success is kept',
  { timeout },
  async () => {
    const body = newcomer('kept_two')
    const visitor = newVisitor(url)
    const { token: bearer } = await askGood(visitor, registerEndpoint, { body })
    const { order } = await askGood(
      { call: (path, options = {}) => visitor.call(path, { bearer, ...options }) },
      createOrderEndpoint,
      { body: { planType: 'pro' } },
    )
    expect(processCount()).toBeGreaterThan(4)
    const killed = await running()
    killed.child.kill('SIGKILL')
    await killed.ended
    const areGone = () => Promise.resolve(processCount() === 0)
    expect(await waitUntil(areGone, { timeoutMs: 10_000 })).toBe(true)

    const restarted = await running()
    expect(bad(await ask(newVisitor(url), registerEndpoint, { body })).code).toBe('EMAIL_TAKEN')
    // The emulator still knows the order.
    await controlOf(`http://127.0.0.1:${razorpayPort}`).pay(order.id)
    restarted.child.kill('SIGINT')
    expect(await restarted.ended).toBe(0)
    expect(await answers(url)).toBe(false)
  },
)
