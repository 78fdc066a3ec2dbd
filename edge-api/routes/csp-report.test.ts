import { expect, test } from 'vitest'
import { createWorld } from '../../tests/harness/world/world.ts'
import { createApp } from '../app.ts'
import type { RateLimiter } from '../http/env.ts'

const ORIGIN = 'http://localhost:8787'
const OLD = 'application/csp-report'
const NEW = 'application/reports+json'

function reporter(allow: RateLimiter = () => Promise.resolve(true)) {
  const world = createWorld()
  const app = createApp()
  const lines: unknown[] = []
  const warn = (...line: unknown[]) => void lines.push(line)
  const send = (body: unknown, type = NEW) => {
    const ctx = world.ctx()
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': type } }
    return app.request('/api/csp-report', init, {
      ctx: { ...ctx, log: { ...ctx.log, warn } },
      allow,
    })
  }
  return { world, lines, send }
}

function violation(change: Record<string, unknown> = {}) {
  return {
    type: 'csp-violation',
    age: 3,
    url: `${ORIGIN}/login`,
    user_agent: 'Firefox',
    body: {
      documentURL: `${ORIGIN}/login`,
      effectiveDirective: 'script-src-elem',
      blockedURL: 'https://evil.example/x.js?stolen=secret-part',
      sourceFile: `${ORIGIN}/_astro/app.Bx-1_.js?secret-part`,
      lineNumber: 12,
      originalPolicy: "default-src 'self'",
      disposition: 'enforce',
      ...change,
    },
  }
}

test('a report of the Reporting API is logged without query strings', async () => {
  const { send, lines } = reporter()
  const answer = await send([violation(), { type: 'deprecation', body: { id: 'x' } }])
  expect(answer.status).toBe(204)
  const logged = {
    page: '/login',
    directive: 'script-src-elem',
    blocked: 'https://evil.example',
    source: '/_astro/app.Bx-1_.js',
    line: 12,
  }
  expect(lines).toEqual([['content security policy violated', logged]])
})

test('a report of report-uri is logged, without the secret in the path of a mailed link', async () => {
  const { send, lines } = reporter()
  const page = `${ORIGIN}/reset-password/secret-part?next=secret-part#secret-part`
  const report = {
    'document-uri': page,
    'violated-directive': "style-src-elem 'self'",
    'blocked-uri': 'inline',
    'source-file': page,
    'line-number': 1,
    'script-sample': 'secret-part',
  }
  expect((await send({ 'csp-report': report }, OLD)).status).toBe(204)
  const [, logged] = lines.flat()
  expect(logged).toEqual({
    page: '/reset-password',
    directive: 'style-src-elem',
    blocked: 'inline',
    source: '/reset-password',
    line: 1,
  })
})

test('each kind of violation is logged once in ten minutes, and at most 50 kinds', async () => {
  const { world, send, lines } = reporter()
  for (let time = 0; time < 3; time += 1) await send([violation()])
  expect(lines).toHaveLength(1)
  const many = Array.from({ length: 100 }, (_, at) =>
    violation({ blockedURL: `https://evil-${at}.example/` }),
  )
  await send(many)
  expect(lines).toHaveLength(50)
  world.advance(10 * 60_000)
  await send([violation()])
  expect(lines).toHaveLength(51)
})

test('reports about other sites and from extensions name no address', async () => {
  const { send, lines } = reporter()
  await send([
    violation({ documentURL: 'https://evil.example/login' }),
    violation({ documentURL: 'nonsense' }),
    violation({
      sourceFile: 'moz-extension://7d2a/secret-part.js',
      blockedURL: 'data:secret-part',
    }),
  ])
  expect(lines).toEqual([
    [expect.any(String), expect.objectContaining({ source: 'moz-extension:', blocked: 'data:' })],
  ])
})

test.each([
  ['no report', { some: 'object' }, 400],
  ['too many reports', Array.from({ length: 101 }, () => violation()), 400],
  ['more than 64 KiB', ['x'.repeat(70_000)], 413],
])('%s is refused and not logged', async (_what, body, status) => {
  const { send, lines } = reporter()
  expect((await send(body)).status).toBe(status)
  expect(lines).toEqual([])
})

test('other media types and methods are refused', async () => {
  const { send, lines } = reporter()
  expect((await send([violation()], 'text/plain')).status).toBe(415)
  const { world } = reporter()
  const services = { ctx: world.ctx(), allow: () => Promise.resolve(true) }
  const answer = await createApp().request('/api/csp-report', {}, services)
  expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'POST'])
  expect(lines).toEqual([])
})

test('reports are limited by the address they come from', async () => {
  const keys: string[] = []
  const { send, lines } = reporter((limit, key) =>
    Promise.resolve(keys.push(`${limit} ${key}`) < 0),
  )
  expect((await send([violation()])).status).toBe(429)
  expect(keys).toEqual(['cspReport address:192.0.2.1'])
  expect(lines).toEqual([])
})
