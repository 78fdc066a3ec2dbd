import { expect, inject, test } from 'vitest'
import { meEndpoint } from '../../src/contract/account.ts'
import { healthEndpoint, liveEndpoint } from '../../src/contract/health.ts'
import { smokeTest } from '../../tools/deploy/smoke-test.ts'
import { ask, bad } from '../harness/ask.ts'
import { startWorker, testSecrets, type Worker } from '../harness/services.ts'
import { newVisitor } from '../harness/visitor.ts'

const SHORT = 'k1:short-secret-of-somebody'

async function withWorker(
  vars: Record<string, string>,
  look: (worker: Worker) => Promise<void>,
): Promise<void> {
  const urls = { databaseUrl: inject('databaseUrl'), emulatorUrl: inject('emulatorUrl') }
  const worker = await startWorker({ ...urls, vars })
  try {
    await look(worker)
  } finally {
    await worker.stop()
  }
}

async function expectLanding({ url }: Worker, path: string): Promise<void> {
  const answer = await newVisitor(url).call(path)
  expect(answer.status, path).toBe(302)
  expect(new URL(answer.headers.get('Location') ?? '', url).href).toBe(`${url}/`)
}

/** Pages need no configuration, so they are still served. */
async function expectPages(worker: Worker): Promise<void> {
  for (const path of ['/', '/reset-password/of-a-link', '/verify-email/of-a-link']) {
    const page = await newVisitor(worker.url).call(path)
    expect(page.status, path).toBe(200)
    expect(page.headers.get('Content-Type')).toContain('text/html')
  }
  await expectLanding(worker, '/no-such-page')
}

// edge-api/config.test.ts holds which values are refused; this holds what the Worker then does.
test.each([
  [
    'a short secret and an unusable database address',
    ['JWT_SECRETS', 'DATABASE_URL'],
    { JWT_SECRETS: SHORT, DATABASE_URL: 'nowhere' },
  ],
  ['the test secrets in production', ['JWT_SECRETS'], { ENVIRONMENT: 'production' }],
])(
  'with %s the API answers 503, only the log names the variables, and the Worker is alive',
  async (_, names, vars) => {
    await withWorker(vars, async (worker) => {
      const answer = await ask(newVisitor(worker.url), meEndpoint)
      const failure = bad(answer)
      expect(failure).toMatchObject({ status: 503, code: 'NOT_CONFIGURED' })
      expect(answer.headers.get('Retry-After')).toBe('60')
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(answer.headers.get('X-Request-Id')).toBe(failure.requestId)
      for (const name of names) expect(JSON.stringify(answer.body)).not.toContain(name)
      // It is alive, and monitors see that it is not ready.
      const alive = await ask(newVisitor(worker.url), liveEndpoint)
      expect(alive).toMatchObject({ status: 200, body: { success: true } })
      expect(bad(await ask(newVisitor(worker.url), healthEndpoint))).toMatchObject({
        status: 503,
        code: 'NOT_READY',
        message: 'Down: configuration',
      })
      const log = worker.log().join('\n')
      expect(log).toContain(`missing or unusable: ${names.toSorted().join(', ')}`)
      expect(log).toContain(failure.requestId)
      expect(log).not.toContain(SHORT)
      expect(log).not.toContain(testSecrets.JWT_SECRETS)
      await expectPages(worker)
      expect(await smokeTest(worker.url)).toEqual(
        ['/api/health', '/api/docs'].map((path) => `${path} answers 503, not 200`),
      )
    })
  },
)

test('what is misconfigured is reported once, however many requests come', async () => {
  await withWorker({ BREACHED_PASSWORDS_URL: 'not an address' }, async (worker) => {
    for (let request = 0; request < 3; request += 1) {
      expect((await ask(newVisitor(worker.url), liveEndpoint)).status).toBe(200)
    }
    const reports = worker.log().filter((line) => line.includes('breached passwords are not asked'))
    expect(reports).toHaveLength(1)
  })
})

test.each(['production', 'staging', 'development'])(
  'there is no local mailbox in %s, where mails hold secret links',
  async (ENVIRONMENT) => {
    const vars = { ENVIRONMENT, JWT_SECRETS: `k1:${'a1'.repeat(24)}` }
    await withWorker(vars, async (worker) => {
      const visitor = newVisitor(worker.url)
      expect((await ask(visitor, liveEndpoint)).status).toBe(200)
      for (const path of ['/__local/mail', '/__local/mail.json']) {
        await expectLanding(worker, path)
      }
      expect((await visitor.call('/api/__local/mail')).body).toMatchObject({ code: 'NOT_FOUND' })
    })
  },
)
