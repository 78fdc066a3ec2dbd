import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { AwsV4Signer } from 'aws4fetch'
import { expect, onTestFinished, test } from 'vitest'
import { listenInTest } from '../../tests/harness/listen.ts'
import { startListener } from '../../tests/harness/listener.ts'
import { startSqld } from '../../tests/harness/services.ts'
import { createAccount } from '../../tests/harness/fixture/account.ts'
import { createPurchase, paymentFor } from '../../tests/harness/fixture/purchase.ts'
import { createFixture } from '../../tests/harness/fixture/fixture.ts'
import { factsOf } from '../../edge-api/domain/ports/payments.ts'
import { mailYesterday } from '../../edge-api/domain/report/mail-yesterday.ts'
import { settle } from '../../edge-api/domain/purchase/settle.ts'
import { days, hours } from '../../edge-api/domain/time.ts'
import { nightlyBackup } from './nightly-backup.ts'
import { newBackupKey } from './encrypted.ts'

const KEYS = { accessKeyId: 'AKTEST', secretAccessKey: 'tests-only-secret' }
const NIGHTLY = new Date('2026-11-25T02:17:00Z')
const nameOf = (date: Date) => `${date.toISOString().slice(0, 19).replaceAll(':', '-')}Z.sql.gz.age`

/** A store with one bucket, as far as backups need it: it accepts calls that are signed with its secret. */
async function startStore() {
  const disk = { files: new Map<string, Buffer>(), isDamaged: false }
  const server = createServer((request, response) => {
    void answerTo(request, disk).then(([status, body]) => response.writeHead(status).end(body))
  })
  return { disk, url: `${await listenInTest(server)}/bucket/nights` }
}

interface Disk {
  files: Map<string, Buffer>
  isDamaged: boolean
}

type Answer = [status: number, body?: string | Buffer]

async function answerTo(request: IncomingMessage, { files, isDamaged }: Disk): Promise<Answer> {
  const { method = '', headers } = request
  const url = new URL(request.url ?? '', `http://${headers.host}`)
  const body = await buffer(request)
  const signed = new AwsV4Signer({
    ...{ method, url: url.href, ...KEYS, service: 's3', region: 'us-east-1' },
    headers: { 'x-amz-content-sha256': String(headers['x-amz-content-sha256']) },
    datetime: String(headers['x-amz-date']),
  })
  if ((await signed.authHeader()) !== headers.authorization) {
    return [403, '<Error><Code>SignatureDoesNotMatch</Code></Error>']
  }
  const key = url.pathname.replace('/bucket/', '')
  if (url.search !== '') {
    const prefix = url.searchParams.get('prefix') ?? ''
    const keys = [...files.keys()].filter((name) => name.startsWith(prefix))
    return [
      200,
      `<ListBucketResult>${keys.map((name) => `<Key>${name}</Key>`).join('')}</ListBucketResult>`,
    ]
  }
  // Like a real store, it asks for the length of a file in advance.
  if (method === 'PUT' && Number(headers['content-length']) !== body.length) return [411]
  if (method === 'PUT') files.set(key, body)
  if (method === 'DELETE') files.delete(key)
  const stored = files.get(key) ?? Buffer.from('')
  return method === 'GET' ? [200, isDamaged ? stored.subarray(1) : stored] : [204]
}

/** A database with a sale, a store, a chat, and a night on all of them. */
async function newSite() {
  const [sqld, chat, store, BACKUP_KEY] = await Promise.all([
    startSqld(),
    startListener(),
    startStore(),
    newBackupKey(),
  ])
  onTestFinished(sqld.stop)
  const fixture = createFixture({ databaseUrl: sqld.url, now: NIGHTLY.getTime() - hours(23) })
  const ctx = fixture.ctx()
  const { userId } = await createAccount(ctx, { email: 'nell@example.test' })
  const purchase = await createPurchase(ctx, userId)
  const payment = paymentFor(purchase, { beganAt: ctx.now })
  await settle(ctx, purchase, factsOf({ payments: [payment] }))
  await mailYesterday(ctx)
  const vars = {
    DATABASE_URL: sqld.url,
    ...{ BACKUP_STORE: store.url, BACKUP_KEY, ALARM_WEBHOOK_URL: chat.url },
    ...{ BACKUP_ACCESS_KEY_ID: KEYS.accessKeyId, BACKUP_SECRET_ACCESS_KEY: KEYS.secretAccessKey },
  }
  const night = (changed = {}, now = NIGHTLY) => nightlyBackup({ ...vars, ...changed }, now)
  return { ctx, chat, disk: store.disk, night }
}

test('a night stores an encrypted backup, restores it from the store, and deletes what is too old', async () => {
  const { disk, chat, night } = await newSite()
  const { files } = disk
  const [old, other] = ['nights/2025-01-07T02-17-00Z.sql.gz.age', 'nights/notes.txt']
  for (const name of [old, other]) files.set(name, Buffer.from('x'))
  expect(await night()).toEqual([
    expect.stringMatching(/^Wrote 2026-11-25T02-17-00Z\.sql\.gz\.age: \d+ KB of SQL\.$/),
    expect.stringMatching(/^Restored it from the store: \d+ statements, \d+ checks, all hold\.$/),
    'Kept 1 backups, deleted 1.',
  ])
  expect([...files.keys()].sort()).toEqual([`nights/${nameOf(NIGHTLY)}`, other])
  const stored = String(files.get(`nights/${nameOf(NIGHTLY)}`))
  expect(stored).toContain('age-encryption.org/v1')
  expect(stored).not.toContain('nell@example.test')
  expect(chat.requests).toEqual([])
})

test('a night that fails says so in the chat and in its exit, and deletes nothing', async () => {
  const { ctx, disk, chat, night } = await newSite()
  const { files } = disk
  const old = 'nights/2025-01-07T02-17-00Z.sql.gz.age'
  files.set(old, Buffer.from('x'))
  const told = async (changed: object) => {
    await expect(night(changed)).rejects.toThrow()
    const { text } = JSON.parse(chat.requests.at(-1)?.body ?? '{}')
    return String(text)
  }
  expect(await told({ BACKUP_KEY: 'secret' })).toContain('BACKUP_KEY is missing or unusable.')
  expect(await told({ BACKUP_STORE: undefined })).toContain('BACKUP_STORE is missing.')
  expect(await told({ DATABASE_URL: '' })).toContain('DATABASE_URL is missing.')
  expect(await told({ BACKUP_STORE: 'http://127.0.0.1:9/b' })).toContain('No store answers at')
  expect(await told({ BACKUP_SECRET_ACCESS_KEY: 'another' })).toContain(
    'HTTP 403 SignatureDoesNotMatch',
  )
  disk.isDamaged = true
  expect(await told({})).toContain('cannot be decrypted')
  disk.isDamaged = false
  await ctx.db.batch([ctx.db.run('UPDATE balances SET total = total + 1')])
  const broken = await told({})
  expect(broken).toContain(
    "tonight's backup failed. 2026-11-25T02-17-00Z.sql.gz.age was restored, and checks fail:",
  )
  expect(broken).toContain(
    'a balance is the sum of its ledger entries, and of what is left of its lots',
  )
  expect(files.has(old)).toBe(true)
})

test('a database that the site has left is no longer backed up in silence', async () => {
  const { disk, chat, night } = await newSite()
  const old = 'nights/2025-01-07T02-17-00Z.sql.gz.age'
  disk.files.set(old, Buffer.from('x'))
  const nextNight = new Date(NIGHTLY.getTime() + days(1))
  await expect(night({}, nextNight)).rejects.toThrow('has no mail of the last 26 hours')
  expect(chat.requests.at(-1)?.body).toContain('set DATABASE_URL')
  expect(disk.files.has(old)).toBe(true)
})
