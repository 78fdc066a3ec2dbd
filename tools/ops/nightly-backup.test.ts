import { expect, test } from 'vitest'
import { days } from '../../edge-api/domain/time.ts'
import { staleBackups } from './nightly-backup.ts'

const NIGHTLY = Date.parse('2026-11-25T02:17:00Z')
const nameOf = (date: Date) => `${date.toISOString().slice(0, 19).replaceAll(':', '-')}Z.sql.gz.age`

test('after 500 nights, the newest backups of 7 days, 5 weeks and 12 months are kept', () => {
  let names = ['notes.txt']
  const dates = Array.from({ length: 500 }, (_, night) => new Date(NIGHTLY + days(night)))
  for (const date of dates) {
    names.push(nameOf(date))
    const stale = staleBackups(names, date)
    names = names.filter((name) => !stale.includes(name))
  }
  const kept = names.slice(1).map((name) => name.slice(0, 10))
  // The last night is a Friday's.
  expect(kept.join(' ')).toBe(
    '2027-05-31 2027-06-30 2027-07-31 2027-08-31 2027-09-30 2027-10-31 2027-11-30 2027-12-31 2028-01-31 2028-02-29 ' +
      '2028-03-12 2028-03-19 2028-03-26 2028-03-31 2028-04-01 2028-04-02 2028-04-03 2028-04-04 2028-04-05 2028-04-06 2028-04-07',
  )
  expect(names[0]).toBe('notes.txt')
})
