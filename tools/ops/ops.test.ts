import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../tests/harness/scratch-folder.ts'
import { type Sqld, startSqld } from '../../tests/harness/services.ts'
import { WHOLE_ENVIRONMENT } from '../../tests/harness/whole-environment.ts'
import { createAccount } from '../../tests/harness/fixture/account.ts'
import { createPurchase, paymentFor } from '../../tests/harness/fixture/purchase.ts'
import { createFixture, START_MS } from '../../tests/harness/fixture/fixture.ts'
import { readConfig } from '../../edge-api/config.ts'
import { factsOf } from '../../edge-api/domain/ports/payments.ts'
import { settle } from '../../edge-api/domain/purchase/settle.ts'
import { days, minutes } from '../../edge-api/domain/time.ts'
import { applyMigrations } from '../services/migrate.ts'
import { backup, requireEncrypted, restore } from './backup.ts'
import { withNewDatabase } from './local-database.ts'
import { ops } from './ops.ts'
import { startOf } from './reconcile.ts'
import { readValues, rotateList, type Way, writeValues } from './rotate.ts'
import { stuck } from './stuck.ts'
import { contextWith } from './target.ts'

let sqld: Sqld
const scratch = scratchFolder('ops')

beforeAll(async () => {
  sqld = await startSqld()
})

afterAll(async () => {
  await sqld.stop()
  scratch.remove()
})

const newFixture = () => createFixture({ databaseUrl: sqld.url, now: START_MS })

test.each([
  ['production', 'https://db.example', 'b.sql.gz', false],
  ['production', 'https://db.example', 'b.sql.gz.age', true],
  [undefined, 'libsql://db.example', 'b.sql.gz', false],
  ['staging', 'https://db.example', 'b.sql.gz', true],
  [undefined, 'http://127.0.0.1:8788', 'b.sql.gz', true],
])('a backup of %s at %s into %s', (environment, url, file, isAllowed) => {
  const act = () => requireEncrypted({ url }, environment, file)
  if (isAllowed) expect(act).not.toThrow()
  else expect(act).toThrow(/b\.sql\.gz\.age/)
})

test.each([
  ['verify-ledger production', 'verify-ledger takes no "production"'],
  ['backup b.sql.gz staging', 'backup takes no "staging"'],
  ['rotate jwt production --write', 'Usage: npm run ops -- rotate'],
  ['reconcile --since 2026-11-20 --write', 'reconcile takes no "write"'],
])('%s does nothing: it may mean another database', async (words, says) => {
  await expect(ops(words.split(' '))).rejects.toThrow(says)
})

// First, while the database is empty.
test('open work is listed by age, and is overdue when it waits too long', async () => {
  const fixture = newFixture()
  const before = (await stuck(fixture.ctx())).lines
  const { userId } = await createAccount(fixture.ctx())
  const purchase = await createPurchase(fixture.ctx(), userId)
  const other = paymentFor(purchase, { amountMinor: purchase.amountMinor - 100 })
  await settle(fixture.ctx(), purchase, factsOf({ payments: [other] }))
  const ours = async () => {
    const { lines, isOverdue } = await stuck(fixture.ctx())
    return {
      isOverdue,
      lines: lines.filter((line) => line.includes(`owed refund  ${other.paymentId}`)),
    }
  }
  fixture.advance(minutes(5))
  expect(before).toEqual(['Nothing is waiting.'])
  expect(await ours()).toEqual({
    isOverdue: false,
    lines: [expect.stringContaining(`   5 min  owed refund  ${other.paymentId}  mismatch  `)],
  })
  fixture.advance(days(1))
  const late = await ours()
  expect(late.isOverdue).toBe(true)
  expect(late.lines).toEqual([
    expect.stringContaining(`!   24 h  owed refund  ${other.paymentId}  mismatch  `),
  ])
})

test('a reconciliation since a date begins before that day did anywhere, and since an instant at that instant', () => {
  const now = Date.UTC(2026, 10, 26)
  // Midnight of the 20th in India is at 18:30 on the 19th in UTC.
  expect(startOf('2026-11-20', now)).toBe(Date.UTC(2026, 10, 19))
  expect(startOf('2026-11-20T10:30Z', now)).toBe(Date.UTC(2026, 10, 20, 10, 30))
  for (const wrong of ['2026-11-27T00:00Z', 'yesterday']) {
    expect(() => startOf(wrong, now)).toThrow(`--since ${wrong} is not a past date`)
  }
})

test('a secret that is pasted into a terminal is read, and not shown', async () => {
  const module = JSON.stringify(import.meta.resolve('./rotate-command.ts'))
  const reader = join(scratch.path, 'reader.mjs')
  writeFileSync(
    reader,
    `import { readSecret } from ${module}; console.log((await readSecret()).length, 'characters')`,
  )
  // `script` runs a command in a terminal of its own: on Linux one of the shell, for which a path may need quotes.
  const words =
    process.platform === 'darwin'
      ? ['-q', '/dev/null', process.execPath, reader]
      : ['-qec', '"$NODE" "$READER"', '/dev/null']
  const env = { ...process.env, NODE: process.execPath, READER: reader }
  const terminal = spawn('script', words, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  let shown = ''
  terminal.stdout.on('data', (bytes: Buffer) => (shown += bytes.toString()))
  await expect.poll(() => shown, { timeout: 20_000 }).toContain('then Enter:')
  terminal.stdin.write('a-pasted-secret\r')
  await once(terminal, 'close')
  expect(shown).toMatch(/15\S* characters/)
  expect(shown).not.toContain('a-pasted-secret')
})

/** The ids of the JWT secrets in a file, the newest first. */
const kidsIn = (path: string) =>
  readValues(path)
    ['JWT_SECRETS']?.split(',')
    .map((entry) => entry.split(':')[0])

test('a JWT secret is kept for as long as a session that it signed can last, however often it is rotated', () => {
  const path = join(scratch.path, 'often.env')
  writeFileSync(path, 'JWT_SECRETS="k1:0123456789-0123456789-0123456789"\n')
  const kidsAfter = (now: number) => {
    writeValues(path, rotateList('jwt', 'add', { path, flag: '', now }).values)
    return kidsIn(path)
  }
  const start = Date.UTC(2026, 10, 24)
  expect(kidsAfter(start)).toEqual(['k2_20261124', 'k1'])
  expect(kidsAfter(start + days(200))).toEqual(['k3_20270612', 'k2_20261124', 'k1'])
  // The first has signed nothing for a year, the second signed 166 days ago.
  expect(kidsAfter(start + days(366))).toEqual(['k4_20271125', 'k3_20270612', 'k2_20261124'])
})

test("with a key of Razorpay's test mode, in the file or about to be, commands on this machine ask Razorpay", () => {
  const devVars = join(scratch.path, 'dev.vars')
  const [id, secret] = ['rzp_test_Ab12Cd34Ef56Gh', '0123456789abcdef']
  const key = { RAZORPAY_KEY_ID: id, RAZORPAY_KEY_SECRET: secret }
  const keyWith = (lines: string, replaced: Record<string, string>) => {
    writeFileSync(devVars, `${lines}\nRAZORPAY_WEBHOOK_SECRETS=fedcba9876543210\n`)
    return contextWith({ environment: null }, replaced, devVars).payments.keyId
  }
  expect(keyWith('', {})).toMatch(/^rzp_test_EMU/)
  expect(keyWith(`RAZORPAY_KEY_ID=${id}\nRAZORPAY_KEY_SECRET=${secret}`, {})).toBe(id)
  expect(keyWith('', key)).toBe(id)
})

test('a restore that fails leaves no database in the way of the next', async () => {
  const folder = join(scratch.path, 'restored')
  const failing = withNewDatabase(folder, async (url) => {
    await restore({ url }, join(scratch.path, 'none.sql.gz'))
  })
  await expect(failing).rejects.toThrow('ENOENT')
  expect(existsSync(join(folder, 'database'))).toBe(false)
})

test('a restore that stops in the middle leaves what the next migration refuses', async () => {
  const file = join(scratch.path, 'whole.sql.gz')
  await backup({ url: sqld.url }, file)
  const sql = gunzipSync(readFileSync(file)).toString()
  const filler = 'CREATE INDEX i ON users (id);DROP INDEX i;'.replaceAll(';', ';\n').repeat(300)
  const half = join(scratch.path, 'half.sql.gz')
  writeFileSync(half, gzipSync(sql.replace('CREATE INDEX', `${filler}BROKEN;\nCREATE INDEX`)))
  const target = await startSqld({ isMigrated: false })
  onTestFinished(target.stop)
  await expect(restore({ url: target.url }, half)).rejects.toThrow('The restore stopped')
  await expect(applyMigrations({ url: target.url })).rejects.toThrow('already exists')
})

test('a value is changed however its line is written, or the file stays as it was', () => {
  const path = join(scratch.path, 'written.env')
  const name = 'RAZORPAY_KEY_SECRET'
  for (const lines of [`export ${name}=old`, ` ${name} = old`, `${name}=older\n${name}=old`, '']) {
    writeFileSync(path, `# kept\n${lines}\nOTHER=1\n`)
    writeValues(path, { [name]: 'new' })
    expect(readValues(path), lines).toEqual({ [name]: 'new', OTHER: '1' })
    expect(readFileSync(path, 'utf8')).not.toContain('old')
  }
  const odd = `OTHER="\n${name}=old\n"\n`
  writeFileSync(path, `${name}=old\n${odd}`)
  expect(() => writeValues(path, { [name]: 'new' })).toThrow(`${path} is not changed`)
  expect(readFileSync(path, 'utf8')).toBe(`${name}=old\n${odd}`)
  const none = join(scratch.path, 'none.env')
  expect(() => writeValues(none, { [name]: 'new' })).toThrow(`There is no ${none}`)
})

test('rotating keeps the old secret until it is dropped; a leaked one counts no more, and the deployment comes before the dashboard', () => {
  const path = join(scratch.path, 'staging.env')
  writeFileSync(path, '# kept\nJWT_SECRETS="k1:0123456789-0123456789-0123456789"\nOTHER=1\n')
  const now = Date.UTC(2026, 10, 24)
  const rotate = (what: 'jwt' | 'webhook', way: Way) => {
    const { values, says } = rotateList(what, way, { path, flag: '--env staging', now })
    writeValues(path, values)
    return says
  }
  expect(rotate('jwt', 'add').join()).toContain('npm run deploy -- --env staging')
  expect(kidsIn(path)).toEqual(['k2_20261124', 'k1'])
  rotate('jwt', 'drop-old')
  expect(kidsIn(path)).toEqual(['k2_20261124'])
  expect(() => rotate('jwt', 'drop-old')).toThrow('there is no old one to drop')
  rotate('jwt', 'leaked')
  const { JWT_SECRETS = '', OTHER } = readValues(path)
  // The Worker takes what was made.
  const [made, ...others] = readConfig({ ...WHOLE_ENVIRONMENT, JWT_SECRETS }).JWT_SECRETS
  expect([made.kid === 'k2_20261124', others, OTHER]).toEqual([false, [], '1'])
  expect(() => rotate('webhook', 'add')).toThrow('has no RAZORPAY_WEBHOOK_SECRETS')
  writeValues(path, { RAZORPAY_WEBHOOK_SECRETS: 'the-present-webhook-secret' })
  // The Worker must know the secret before Razorpay signs with it.
  const says = rotate('webhook', 'add')
  const lineAbout = (word: string) => says.findIndex((line) => line.includes(word))
  expect(lineAbout('deploy')).toBeLessThan(lineAbout('dashboard'))
  rotate('webhook', 'add')
  expect(
    readValues(path)['RAZORPAY_WEBHOOK_SECRETS'],
    'Razorpay may still sign with the last',
  ).toMatch(/^([\w-]{43},){2}the-present-webhook-secret$/)
})
