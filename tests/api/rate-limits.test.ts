import { expect, test } from 'vitest'
import { RATE_LIMITS } from '../../src/contract/limits.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { submitTicketEndpoint } from '../../src/contract/support.ts'
import { ask, bad } from '../harness/ask.ts'
import { visitor } from '../harness/visitor.ts'

// edge-api/app.test.ts tests what is counted by which key; these tests check that workerd's counters count.

/** Counters start again each minute, so an attempt that spans two minutes is repeated. */
async function withinOneMinute<T>(attempt: () => Promise<T>): Promise<T> {
  const minute = () => Math.floor(Date.now() / 60_000)
  for (;;) {
    const begunIn = minute()
    const result = await attempt()
    if (minute() === begunIn) return result
  }
}

test('of ten calls at once from one address with a limit of five, five succeed, and the others say when to try again', async () => {
  const answers = await withinOneMinute(() => {
    const one = visitor()
    const body = { email: 'nobody@example.test', query: 'Hello' }
    return Promise.all(Array.from({ length: 10 }, () => ask(one, submitTicketEndpoint, { body })))
  })
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused).toHaveLength(10 - RATE_LIMITS.support)
  for (const answer of refused) {
    expect(bad(answer)).toMatchObject({
      status: 429,
      code: 'RATE_LIMITED',
      message: SERVER.rateLimited,
    })
    expect(answer.headers.get('Retry-After')).toBe('60')
    expect(answer.headers.get('RateLimit-Policy')).toBe(`"support";q=${RATE_LIMITS.support};w=60`)
    expect(answer.headers.get('RateLimit')).toBe('"support";r=0;t=60')
  }
})
