import { expect, inject, test } from 'vitest'
import { meEndpoint } from '../../src/contract/account.ts'
import { healthEndpoint, liveEndpoint } from '../../src/contract/health.ts'
import { ask, bad } from '../harness/ask.ts'
import { testSecrets } from '../harness/secrets.ts'
import { newVisitor } from '../harness/visitor.ts'
import { startWorker, type Worker } from '../harness/worker.ts'

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

/** Pages need no configuration: they are there, and say themselves that the API is not. */
async function expectPages(worker: Worker): Promise<void> {
  for (const path of ['/', '/reset-password/of-a-link', '/verify-email/of-a-link']) {
    const page = await newVisitor(worker.url).call(path)
    expect(page.status, path).toBe(200)
    expect(page.headers.get('Content-Type')).toContain('text/html')
  }
  await expectLanding(worker, '/no-such-page')
}

// Which values are refused is tried in edge-api/config.test.ts; here, what becomes of one that is.
test.each([
  [
    'a short and an unusable one',
    ['JWT_SECRETS', 'DATABASE_URL'],
    { JWT_SECRETS: SHORT, DATABASE_URL: 'nowhere' },
  ],
  ["the tests' own in production", ['JWT_SECRETS'], { ENVIRONMENT: 'production' }],
])(
  'X8 X4 %s: 503, and only the log names the variables; the Worker is alive',
  async (_, names, vars) => {
    await withWorker(vars, async (worker) => {
      const answer = await ask(newVisitor(worker.url), meEndpoint)
      const failure = bad(answer)
      expect(failure).toMatchObject({ status: 503, code: 'NOT_CONFIGURED' })
      expect(answer.headers.get('Retry-After')).toBe('60')
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
      expect(answer.headers.get('X-Request-Id')).toBe(failure.requestId)
      for (const name of names) expect(JSON.stringify(answer.body)).not.toContain(name)
      // X4: alive all the same, and not ready for the monitors.
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

test.each(['production', 'development'])(
  'there is no local mailbox in %s: mail with secret links is for nobody else to read',
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
