import { expect, test } from 'vitest'
import { ledgerFileEndpoint, statementEndpoint, type StatementLine } from '../../contract/usage.ts'
import { aLine, STATEMENT } from '../../../tests/stores/samples.ts'
import { createStatement } from './statement.ts'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'

const line = (tokens: number, sessionId: string) => aLine({ tokens: -tokens, sessionId })

async function open(search = '') {
  const fixture = await createStoreFixture({ isSignedIn: true, search })
  const { server } = fixture
  server.answer(statementEndpoint, STATEMENT)
  const asked = () =>
    server.requests.map(({ path }) => path).filter((path) => path.includes('usage'))
  return { ...fixture, statement: createStatement(), asked }
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

test('the file is that of the month, and none is saved when it does not arrive', async () => {
  const { server, said, files, statement, asked } = await open()
  server.answer(ledgerFileEndpoint, { csv: 'a,b' })
  await statement.download.run('2026-11')
  await statement.download.run('')
  expect(files).toEqual([
    ['tokens-2026-11.csv', 'a,b'],
    ['tokens.csv', 'a,b'],
  ])
  expect(asked()).toEqual(['/api/usage/ledger-file?month=2026-11', '/api/usage/ledger-file'])
  server.forget(ledgerFileEndpoint)
  server.cutOff(ledgerFileEndpoint)
  await statement.download.run('')
  expect([files.length, said().length]).toEqual([2, 1])
})

test('the next page is shown below, and a session of both pages is one line', async () => {
  const { server, statement, asked } = await open()
  server.forget(statementEndpoint)
  const page = (nextCursor: string | null, ...lines: StatementLine[]) =>
    server.answer(statementEndpoint, { ...STATEMENT, lines, isWhole: !nextCursor, nextCursor })
  page('next', line(3, 'call-1'), line(2, 'call-2'))
  page(null, { ...line(4, 'call-2'), count: 5 }, line(1, 'call-3'))
  await statement.follow()
  await statement.more.run()
  await statement.more.run()
  const { data } = statement.$resource.get()
  expect(data?.lines.map(({ sessionId, tokens, count }) => [sessionId, tokens, count])).toEqual([
    ['call-1', -3, 1],
    ['call-2', -6, 6],
    ['call-3', -1, 1],
  ])
  expect(asked()).toEqual([
    '/api/usage/statement',
    '/api/usage/statement?month=2026-11&cursor=next',
  ])
})
