import { expect, test } from 'vitest'
import { refusedLicences } from './licences.ts'

const refused = (...licences: string[]) =>
  refusedLicences([{ name: 'one', version: '1.0.0', licences }])

test.each([
  ['MIT'],
  ['(MIT OR GPL-3.0-only)'],
  ['Apache-2.0 AND LGPL-3.0-or-later AND MIT'],
  ['MIT', 'ISC'],
])('%s is accepted', (...licences) => {
  expect(refused(...licences)).toEqual([])
})

test.each([
  ['GPL-3.0-only'],
  ['MIT AND AGPL-3.0-only'],
  ['MIT OR (ISC AND GPL-3.0-only)'],
  ['MIT', 'SSPL-1.0'],
  ['UNLICENSED'],
  ['SEE LICENSE IN LICENSE.md'],
])('%s is refused', (...licences) => {
  expect(refused(...licences)).toEqual([`one@1.0.0: ${licences.join(' AND ')}`])
})

test('a package without a licence is refused', () => {
  expect(refused()).toEqual(['one@1.0.0: none'])
})
