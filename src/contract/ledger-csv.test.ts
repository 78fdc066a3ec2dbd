import { expect, test } from 'vitest'
import { csvText } from './csv.ts'
import { ledgerCsv } from './ledger-csv.ts'

test('a CSV of the ledger has a line for each entry, and negative tokens stay numbers', () => {
  const entry = {
    id: 'use:usr_1:=1+1',
    kind: 'use',
    tokens: -1_200,
    purchaseId: null,
    item: null,
    sessionId: '-s,1',
    mode: 'meeting',
    createdAt: '2026-11-22T10:00:00.000Z',
  } as const
  expect(ledgerCsv([entry])).toBe(
    [
      '\ufeffcreatedAt,kind,tokens,item,mode,sessionId,purchaseId,id',
      `2026-11-22T10:00:00.000Z,use,-1200,,meeting,"'-s,1",,use:usr_1:=1+1`,
      '',
    ].join('\r\n'),
  )
})

test.each(['=1+1', '+1', '-1', '@a', '＝1+1', '＋1', '－1', '＠a'])('%s is no formula', (typed) => {
  expect(csvText(typed)).toBe(`'${typed}`)
})

test.each([
  ['Pune;=1+1', `"Pune;'=1+1"`],
  ['Pune\t=1+1', `"Pune\t'=1+1"`],
  ['Pune; @a', `"Pune;' @a"`],
  ['Pune\n-1', `"Pune\n'-1"`],
  ['Pune; India', '"Pune; India"'],
  ['Ada-Lovelace', 'Ada-Lovelace'],
])('%j is the cell %j, which no spreadsheet runs, wherever it splits', (typed, cell) => {
  expect(csvText(typed)).toBe(cell)
})
