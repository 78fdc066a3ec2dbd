import { expect, inject, onTestFinished, test } from 'vitest'
import { meEndpoint } from '../../src/contract/account.ts'
import { healthEndpoint, liveEndpoint } from '../../src/contract/health.ts'
import { smokeTest } from '../../tools/deploy/smoke-test.ts'
import { ask, bad } from '../harness/ask.ts'
import { startWorker, testSecrets, type Worker } from '../harness/services.ts'
import { newVisitor } from '../harness/visitor.ts'
import { paymentEvent, sendWebhook } from '../harness/fixture/razorpay.ts'

const SHORT = 'k1:short-secret-of-somebody'

async function workerWith(vars: Record<string, string>): Promise<Worker> {
  const urls = { databaseUrl: inject('databaseUrl'), emulatorUrl: inject('emulatorUrl') }
  const worker = await startWorker({ ...urls, vars })
  onTestFinished(worker.stop)
  return worker
}

async function expectLanding({ url }: Worker, path: string): Promise<void> {
  const answer = await newVisitor(url).call(path)
  expect(answer.status, path).toBe(302)
  expect(new URL(answer.headers.get('Location') ?? '', url).href).toBe(`${url}/`)
}

// edge-api/config.test.ts tests which values are rejected; this tests what the Worker then does.
test('with unusable settings the API answers 503, only the log names them, and pages are served', async () => {
  const worker = await workerWith({ JWT_SECRETS: SHORT, DATABASE_URL: 'nowhere' })
  const visitor = newVisitor(worker.url)
  const answer = await ask(visitor, meEndpoint)
  const failure = bad(answer)
  expect(failure).toMatchObject({ status: 503, code: 'NOT_CONFIGURED' })
  expect(answer.headers.get('Retry-After')).toBe('60')
  expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(answer.headers.get('X-Request-Id')).toBe(failure.requestId)
  expect(JSON.stringify(answer.body)).not.toMatch(/JWT_SECRETS|DATABASE_URL/)
  // It is alive, and monitors see that it is not ready.
  expect((await ask(visitor, liveEndpoint)).status).toBe(200)
  expect(bad(await ask(visitor, healthEndpoint))).toMatchObject({
    status: 503,
    code: 'NOT_READY',
    message: 'Down: configuration',
  })
  const log = worker.log().join('\n')
  expect(log).toContain('missing or unusable: DATABASE_URL, JWT_SECRETS')
  expect(log).toContain(failure.requestId)
  for (const secret of [SHORT, testSecrets.JWT_SECRETS]) expect(log).not.toContain(secret)
  for (const path of ['/', '/reset-password/of-a-link', '/verify-email/of-a-link']) {
    const page = await visitor.call(path)
    expect(page.status, path).toBe(200)
    expect(page.headers.get('Content-Type')).toContain('text/html')
  }
  await expectLanding(worker, '/no-such-page')
  expect(await smokeTest(worker.url)).toEqual([
    '/api/health answers 503, not 200',
    expect.stringMatching(/\/admin answers 503, not the sign-in or 404$/),
  ])
})

test('in production there is no local mailbox, the keys of the emulator take no webhook, and what is misconfigured is reported once, however many calls come', async () => {
  const worker = await workerWith({
    ENVIRONMENT: 'production',
    JWT_SECRETS: `k1:${'a1'.repeat(24)}`,
    TRIAL_SECRET: 'b2'.repeat(24),
    BREACHED_PASSWORDS_URL: 'not an address',
  })
  const visitor = newVisitor(worker.url)
  for (let call = 0; call < 3; call += 1) {
    expect((await ask(visitor, liveEndpoint)).status).toBe(200)
  }
  const reports = worker.log().filter((line) => line.includes('breached passwords are not asked'))
  expect(reports).toHaveLength(1)
  for (const sending of [{}, { signature: null }]) {
    expect(
      await sendWebhook(worker.url, paymentEvent('payment.captured', {}), sending),
    ).toMatchObject({
      status: 503,
      body: { code: 'NOT_CONFIGURED' },
    })
  }
  expect(await visitor.call('/api/health')).toMatchObject({
    status: 503,
    body: {
      code: 'NOT_READY',
      message: 'Down: payments',
      parts: { database: { status: 'ok' }, payments: { status: 'down' } },
    },
  })
  const alerts = worker.log().filter((line) => line.includes('payments are not configured'))
  expect(alerts).toEqual([expect.stringContaining('RAZORPAY_KEY_ID')])
  for (const path of ['/__local/mail', '/__local/mail.json']) await expectLanding(worker, path)
  expect((await visitor.call('/api/__local/mail')).body).toMatchObject({ code: 'NOT_FOUND' })
})
