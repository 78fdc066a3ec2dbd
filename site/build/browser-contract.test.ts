import { expect, test } from 'vitest'
import * as account from '../../src/contract/account.ts'
import * as currency from '../../src/contract/currency.ts'
import * as desk from '../../src/contract/desk.ts'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import * as messages from '../../src/contract/messages.ts'
import { dataOf } from './browser-contract.ts'

test('the browser gets calls and plain data of a file with schemas, and the parts of calls that it uses', () => {
  expect(dataOf(currency)).toEqual({ CURRENCIES: '["USD","INR"]', DEFAULT_CURRENCY: '"USD"' })
  const { meEndpoint } = dataOf(account) ?? {}
  expect(JSON.parse(meEndpoint ?? '')).toMatchObject({
    method: 'GET',
    path: '/api/auth/me',
    answer: { fields: { user: { fields: { tokens: { fields: { used: 'number' } } } } } },
  })
  expect(meEndpoint).not.toContain('access')
})

test('a file without schemas is left as it is', () => {
  expect(dataOf(messages)).toBeNull()
})

test('every call has a shape of its answer', () => {
  for (const { id, answer } of [...ENDPOINTS, desk.todayEndpoint, desk.customerEndpoint]) {
    expect(Object.keys(answer.fields), id).toContain('success')
  }
})
