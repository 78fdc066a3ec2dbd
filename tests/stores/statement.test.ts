import { expect, test } from 'vitest'
import { type LedgerEntry, ledgerEndpoint, statementEndpoint } from '../../src/contract/usage.ts'
import { createStatement } from '../../src/stores/statement.ts'
import { createStoreWorld } from './support/store-world.ts'

const entry = (number: number): LedgerEntry => ({
  id: `use:usr_1:${number}`,
  kind: 'use',
  tokens: -number,
  purchaseId: null,
  item: null,
  sessionId: null,
  mode: 'meeting',
  createdAt: '2026-11-22T10:00:00.000Z',
})

const STATEMENT = {
  month: '2026-11',
  opening: 0,
  closing: 0,
  used: 0,
  byMode: { interview: 0, meeting: 0, sales: 0, negotiation: 0 },
  lines: [],
  isWhole: true,
}

async function open(search = '') {
  const { server, said, ...world } = await createStoreWorld({ isSignedIn: true, search })
  const files: [string, string][] = []
  const statement = createStatement({
    ...world,
    saveFile: (name, text) => files.push([name, text]),
  })
  server.answer(statementEndpoint, STATEMENT)
  const asked = () =>
    server.requests.map(({ path }) => path).filter((path) => path.includes('usage'))
  return { server, said, files, statement, asked, address: world.address, steps: world.steps }
}

test('the filter is in the address; a month is loaded once, and Back leads to the previous one', async () => {
  const { statement, asked, address, steps } = await open('?show=sales&month=2026-13&search=x')
  await statement.follow()
  expect(statement.$filter.get()).toEqual({ month: '', show: 'sales', search: 'x' })
  await statement.filter({ month: '2026-10' })
  await statement.filter({ show: 'grant' })
  await statement.filter({ search: 'pro' })
  expect(address.search).toBe('?month=2026-10&show=grant&search=pro')
  expect(steps).toEqual([
    '?show=sales&month=2026-13&search=x',
    '?month=2026-10&show=sales&search=x',
  ])
  address.search = steps[0] ?? ''
  await statement.follow()
  await statement.filter({ show: '', search: '' })
  expect(address.search).toBe('')
  expect(asked()).toEqual([
    '/api/usage/statement',
    '/api/usage/statement?month=2026-10',
    '/api/usage/statement',
  ])
})

test('typing a search while the month loads asks for it once, and so it does after a failure', async () => {
  const { server, statement, asked } = await open()
  server.forget(statementEndpoint)
  server.cutOff(statementEndpoint)
  const loading = statement.follow()
  await statement.filter({ search: 'p' })
  await loading
  await statement.filter({ search: 'pr' })
  expect([statement.$resource.get().status, asked().length]).toEqual(['failed', 1])
})

test('the file has all pages of the month, and none is saved when one is missing', async () => {
  const { server, said, files, statement, asked } = await open()
  server.answer(ledgerEndpoint, { entries: [entry(1)], nextCursor: 'next' })
  server.answer(ledgerEndpoint, { entries: [entry(2)], nextCursor: null })
  await statement.download.run('2026-11')
  expect(files.map(([name, text]) => [name, text.split('\r\n').length])).toEqual([
    ['tokens-2026-11.csv', 4],
  ])
  await statement.download.run('')
  expect(files.at(-1)?.[0]).toBe('tokens.csv')
  expect(asked()).toEqual([
    '/api/usage/ledger?limit=100&month=2026-11',
    '/api/usage/ledger?limit=100&cursor=next&month=2026-11',
    '/api/usage/ledger?limit=100',
  ])
  server.forget(ledgerEndpoint)
  server.answer(ledgerEndpoint, { entries: [entry(1)], nextCursor: 'next' })
  server.cutOff(ledgerEndpoint)
  await statement.download.run('')
  expect([files.length, said().length]).toEqual([2, 1])
})
