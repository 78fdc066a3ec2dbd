import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { loginEndpoint } from '../../src/contract/session.ts'
import { requireMediaType } from './input.ts'
import type { AppEnv } from './env.ts'

test.each([
  [
    'whose length is 0, sent in chunks,',
    { 'Content-Length': '0', 'Transfer-Encoding': 'chunked' },
    415,
  ],
  ['sent in chunks', { 'Transfer-Encoding': 'chunked' }, 415],
  ['of no length', { 'Content-Length': '0' }, 200],
])('a body %s without a media type of ours is %j: %d', async (_, headers, status) => {
  const app = new Hono<AppEnv>()
  app.post('/', requireMediaType(loginEndpoint), (c) => c.text('passed'))
  const sent = { method: 'POST', body: '{"email":"a@b.test"}', headers }
  expect((await app.request('/', sent)).status).toBe(status)
})
