import { expect, onTestFinished, test } from 'vitest'
import { webhookEvents } from '../../edge-api/db/schema/purchases.ts'
import { GatewayUnauthorized } from '../../edge-api/domain/ports/payments.ts'
import { hours } from '../../edge-api/domain/time.ts'
import { unavailableGateway } from '../../edge-api/gateways/razorpay/razorpay-gateway.ts'
import { brand } from '../../site/brand.ts'
import { startProxy } from '../../tests/harness/database-proxy.ts'
import { startSqld } from '../../tests/harness/services.ts'
import { createFixture, START_MS } from '../../tests/harness/fixture/fixture.ts'
import { checkOutside, reportLines } from './check-outside.ts'

const [, MAIL_DOMAIN] = brand.mailFrom.replace('>', '').split('@')

const RECORDS: Readonly<Record<string, string[]>> = {
  'NS murmur.test': ['ada.ns.cloudflare.com'],
  'A app.murmur.test': ['192.0.2.1'],
  'A hc.murmur.test': ['192.0.2.2'],
  'A team.murmur.test': ['192.0.2.3'],
  [`TXT cf-bounce.${MAIL_DOMAIN}`]: ['v=spf1 include:_spf.example ~all'],
  [`TXT cf-bounce._domainkey.${MAIL_DOMAIN}`]: ['v=DKIM1; p=abc'],
  [`TXT _dmarc.${MAIL_DOMAIN}`]: ['v=DMARC1; p=none'],
}

const SECRETS = {
  HEARTBEAT_URL: 'https://hc.murmur.test/abc',
  ALARM_WEBHOOK_URL: 'https://chat.murmur.test/abc',
  ACCESS_TEAM: 'https://team.murmur.test',
  ACCESS_AUDIENCE: 'abc',
  ADMIN_HOST: 'admin.murmur.test',
}

/** What is outside of this machine: nothing, but for what is named. */
const outside = (parts: {
  records?: (kind: string, name: string) => Promise<string[]>
  pause?: () => Promise<void>
  output?: string
}) => {
  const { records = () => Promise.resolve([]), pause = () => Promise.resolve() } = parts
  const whoami = () => Promise.resolve({ code: 0, output: parts.output ?? '' })
  return { records, pause, whoami }
}

test('all that a deployment needs is there', async () => {
  const sqld = await startSqld()
  onTestFinished(sqld.stop)
  const payments = {
    ...unavailableGateway,
    paymentsBetween: () => Promise.resolve({ items: [], isWhole: true }),
  }
  const ctx = createFixture({ databaseUrl: sqld.url, payments, now: START_MS }).ctx()
  const event = { eventId: 'evt_1', event: 'order.paid', body: '{}' }
  await ctx.db.batch([
    ctx.db.insert(webhookEvents).values({ ...event, receivedAt: ctx.now - hours(3) }),
  ])
  const findings = await checkOutside(
    ctx,
    { origin: 'https://app.murmur.test', secrets: { ...SECRETS, DATABASE_URL: sqld.url } },
    outside({
      records: (kind, name) => Promise.resolve(RECORDS[`${kind} ${name}`] ?? []),
      output: 'You are logged in with an API Token.',
    }),
  )
  const lines = reportLines(findings)
  expect(lines).toHaveLength(10)
  expect(lines.filter((line) => !line.startsWith('fine '))).toEqual([])
})

test('each missing item is named with the place and the permission to fix it, and blocking items come first', async () => {
  const sqld = await startSqld({ isMigrated: false })
  onTestFinished(sqld.stop)
  const refused = () => Promise.reject(new GatewayUnauthorized('Authentication failed'))
  const payments = { ...unavailableGateway, paymentsBetween: refused }
  const ctx = createFixture({ databaseUrl: sqld.url, payments, now: START_MS }).ctx()
  const look = async (DATABASE_URL: string, DATABASE_AUTH_TOKEN = '') =>
    reportLines(
      await checkOutside(
        ctx,
        { origin: 'https://app.murmur.test', secrets: { DATABASE_URL, DATABASE_AUTH_TOKEN } },
        outside({ output: 'You are not authenticated.' }),
      ),
    )
  const lines = await look('http://127.0.0.1:9')
  expect(lines.map((line) => line.split(':')[0])).toEqual([
    ...['stop  Cloudflare', 'stop  domain', 'stop  database', 'stop  Razorpay key'],
    ...['stop  mail', 'look  database streams', 'look  webhook', 'look  admin pages'],
    ...['look  heartbeat', 'look  alert webhook'],
  ])
  const text = lines.join('\n')
  expect(text).toContain('Nobody serves app.murmur.test.')
  expect(text).toContain('it cannot be reached. Check DATABASE_URL')
  expect(text).toContain('API Keys → Regenerate Key. Needs the role Owner or Admin')
  expect(text).toContain('lacks SPF (cf-bounce.')

  const fresh = (await look(sqld.url)).join('\n')
  expect(fresh).toContain('database: takes writes; a deployment applies 0000_base')
  const open = (await look(sqld.url, 'a token that nobody checks')).join('\n')
  expect(open).toContain('stop  database: anybody can read and change it')
})

test.each([
  ['400 Received an invalid baton', /^fine .* until: 400 Received an invalid baton$/],
  ['410 gone fishing', /^stop .* does not know: 410 gone fishing$/],
])('a database that forgets a stream with %s', async (words, expected) => {
  const sqld = await startSqld()
  onTestFinished(sqld.stop)
  let isLater = false
  const { url: DATABASE_URL } = await startProxy(sqld.url, (request) => {
    const goesOn = request.startsWith('{"baton":"')
    return isLater && goesOn ? { status: Number(words.slice(0, 3)), body: words.slice(4) } : null
  })
  const findings = await checkOutside(
    createFixture({ databaseUrl: sqld.url, now: START_MS }).ctx(),
    { origin: 'https://app.murmur.test', secrets: { DATABASE_URL } },
    outside({ pause: () => Promise.resolve(void (isLater = true)) }),
  )
  const line = reportLines(findings).find((one) => one.includes('database streams'))
  expect(line).toMatch(expected)
})
