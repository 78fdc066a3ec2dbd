import { expect, test } from 'vitest'
import { SERVER } from '../../src/contract/messages.ts'
import { useTokensEndpoint } from '../../src/contract/report-usage.ts'
import { ask, askGood, bad } from '../harness/ask.ts'
import { createMember } from '../harness/member.ts'

test('one token is used by default, a key counts once, and none is used when too few are left', async () => {
  const user = await createMember({ tokens: 100 })
  expect(await askGood(user, useTokensEndpoint)).toMatchObject({
    used: 1,
    tokens: { used: 1, total: 100 },
  })
  const use = (amount: number, idempotencyKey: string) =>
    ask(user, useTokensEndpoint, { body: { amount }, idempotencyKey })
  const same = await Promise.all(Array.from({ length: 5 }, () => use(10, 'a-key')))
  for (const { body } of same) expect(body).toMatchObject({ tokens: { used: 11 } })
  expect(bad(await use(11, 'a-key'))).toMatchObject({ status: 409, code: 'IDEMPOTENCY_KEY_REUSED' })
  expect(bad(await use(1, 'a'.repeat(101))).errors?.[0]?.path).toBe('Idempotency-Key')
  expect(bad(await use(90, 'another-key'))).toMatchObject({
    status: 402,
    code: 'INSUFFICIENT_TOKENS',
    message: SERVER.insufficientTokens,
  })
  expect((await askGood(user, useTokensEndpoint)).tokens.used).toBe(12)
})
