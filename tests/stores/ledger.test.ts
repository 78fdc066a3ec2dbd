import { expect, test } from 'vitest'
import { type LedgerEntry, ledgerEndpoint } from '../../src/contract/usage.ts'
import { createLedger } from '../../src/stores/ledger.ts'
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

async function open(search = '') {
  const { server, said, ...world } = await createStoreWorld({ isSignedIn: true, search })
  const files: [string, string][] = []
  const ledger = createLedger({ ...world, saveFile: (name, text) => files.push([name, text]) })
  const asked = () =>
    server.requests.map(({ path }) => path).filter((path) => path.includes('ledger'))
  return { server, said, files, ledger, asked, address: world.address }
}

test('pages add up, and a filter starts from the first page again', async () => {
  const { server, ledger, asked } = await open()
  server.answer(ledgerEndpoint, { entries: [entry(1)], nextCursor: 'next' })
  server.answer(ledgerEndpoint, { entries: [entry(2)], nextCursor: null })
  await ledger.entries.load()
  await ledger.entries.loadMore()
  await ledger.entries.loadMore()
  expect(ledger.entries.$resource.get().data?.rows.map(({ tokens }) => tokens)).toEqual([-1, -2])
  await ledger.filter({ kind: 'use' })
  await ledger.filter({ month: '2026-11' })
  expect(ledger.entries.$resource.get().data?.rows.map(({ tokens }) => tokens)).toEqual([-2])
  expect(asked()).toEqual([
    '/api/usage/ledger?limit=50',
    '/api/usage/ledger?limit=50&cursor=next',
    '/api/usage/ledger?limit=50&kind=use',
    '/api/usage/ledger?limit=50&month=2026-11&kind=use',
  ])
})

test('the file has all pages of the filter, and none is saved when one is missing', async () => {
  const { server, said, files, ledger } = await open()
  server.answer(ledgerEndpoint, { entries: [], nextCursor: null })
  await ledger.filter({ month: '2026-11' })
  server.forget(ledgerEndpoint)
  server.answer(ledgerEndpoint, { entries: [entry(1)], nextCursor: 'next' })
  server.answer(ledgerEndpoint, { entries: [entry(2)], nextCursor: null })
  await ledger.download.run()
  expect(files.map(([name, text]) => [name, text.split('\r\n').length])).toEqual([
    ['tokens-2026-11.csv', 4],
  ])
  server.forget(ledgerEndpoint)
  server.answer(ledgerEndpoint, { entries: [entry(1)], nextCursor: 'next' })
  server.cutOff(ledgerEndpoint)
  await ledger.download.run()
  expect([files.length, said().length]).toEqual([1, 1])
})

test('the filter is in the address, and an address with a filter shows it', async () => {
  const { server, ledger, asked, address } = await open('?kind=use&month=2026-13')
  server.answer(ledgerEndpoint, { entries: [], nextCursor: null })
  await ledger.entries.load()
  expect(ledger.$filter.get()).toEqual({ month: '', kind: 'use' })
  await ledger.filter({ month: '2026-11' })
  expect(address.search).toBe('?month=2026-11&kind=use')
  await ledger.filter({ month: '', kind: '' })
  expect(address.search).toBe('')
  expect(asked()).toEqual([
    '/api/usage/ledger?limit=50&kind=use',
    '/api/usage/ledger?limit=50&month=2026-11&kind=use',
    '/api/usage/ledger?limit=50',
  ])
})
