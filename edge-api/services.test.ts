import { once } from 'node:events'
import { createServer } from 'node:http'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WHOLE_ENVIRONMENT } from '../tests/harness/whole-environment.ts'
import { readConfig } from './config.ts'
import { DatabaseBusy } from './db/database-error.ts'
import { buildServices } from './services.ts'

const VISITOR = { address: '192.0.2.1', ipPrefix: '192.0.2.0/24', device: 'Firefox on Linux' }
const NOW = 1_800_000_000_000
const MAIL = { id: 'm1', from: 'a@b.test', to: 'c@d.test', subject: 's', text: 't', html: 'h' }

test.each([
  ['local', { isLocal: true, sent: 0 }],
  ['production', { isLocal: false, sent: 1 }],
  ['development', { isLocal: false, sent: 1 }],
  ['test', { isLocal: false, sent: 1 }],
  [undefined, { isLocal: false, sent: 1 }],
])('with ENVIRONMENT %s the mailbox is %j', async (ENVIRONMENT, { isLocal, sent }) => {
  const send = vi.fn(() => Promise.resolve())
  const env = { ...WHOLE_ENVIRONMENT, ENVIRONMENT, EMAIL: { send } }
  const { newContext } = buildServices(readConfig(env), [])
  const { ctx } = newContext({ visitor: VISITOR, now: NOW, isPayment: false })
  await ctx.mailer.send(MAIL)
  expect({ isLocal: ctx.isLocal, sent: send.mock.calls.length }).toEqual({ isLocal, sent })
})

/** A database that takes calls and answers none. */
async function startHangingDatabase() {
  const calls: unknown[] = []
  const server = createServer((request) => calls.push(request)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(stop)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}`, calls, stop }
}

test('a payment is written although other writes have taken every place of theirs', async () => {
  const database = await startHangingDatabase()
  const env = { ...WHOLE_ENVIRONMENT, ENVIRONMENT: 'local', DATABASE_URL: database.url }
  const { newContext } = buildServices(readConfig(env), [])
  const write = (isPayment: boolean) => {
    const { ctx } = newContext({ visitor: VISITOR, now: NOW, isPayment })
    return ctx.db.batch([ctx.db.run(sql`UPDATE users SET bio = ''`)])
  }
  const refusals: unknown[] = []
  const flood = Array.from({ length: 200 }, () =>
    write(false).catch((error: unknown) => refusals.push(error)),
  )
  await expect.poll(() => refusals.length + database.calls.length).toBe(200)
  const taken = database.calls.length
  const payment = write(true).catch(() => undefined)
  await expect.poll(() => database.calls.length).toBe(taken + 1)
  await expect(write(false)).rejects.toBeInstanceOf(DatabaseBusy)
  database.stop()
  await Promise.all([...flood, payment])
})
