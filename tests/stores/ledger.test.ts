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

async function open() {
  const { server, said, ...world } = await createStoreWorld({ isSignedIn: true })
  const files: [string, string][] = []
  const ledger = createLedger({ ...world, saveFile: (name, text) => files.push([name, text]) })
  const asked = () =>
    server.requests.map(({ path }) => path).filter((path) => path.includes('ledger'))
  return { server, said, files, ledger, asked }
}

test('pages add up, and a filter starts from the first page again', async () => {
  const { server, ledger, asked } = await open()
  server.answer(ledgerEndpoint, { entries: [entry(1)], nextCursor: 'next' })
  server.answer(ledgerEndpoint, { entries: [entry(2)], nextCursor: null })
  await ledger.load()
  await ledger.loadMore()
  await ledger.loadMore()
  expect(ledger.$ledger.get().data?.entries.map(({ tokens }) => tokens)).toEqual([-1, -2])
  await ledger.filter({ kind: 'use' })
  await ledger.filter({ month: '2026-11' })
  expect(ledger.$ledger.get().data?.entries.map(({ tokens }) => tokens)).toEqual([-2])
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
  await ledger.save()
  expect(files.map(([name, text]) => [name, text.split('\r\n').length])).toEqual([
    ['tokens-2026-11.csv', 4],
  ])
  server.forget(ledgerEndpoint)
  server.answer(ledgerEndpoint, { entries: [entry(1)], nextCursor: 'next' })
  server.cutOff(ledgerEndpoint)
  await ledger.save()
  expect([files.length, said().length]).toEqual([1, 1])
})
