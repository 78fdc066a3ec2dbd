import { expect, test } from 'vitest'
import { lastWordsOf } from './last-words.ts'

test('of a program that printed its call stack, the words before it count', () => {
  const rust = `Error: file is not a database

Caused by:
    Error code 26: File opened that is not a database file

Stack backtrace:
   0: anyhow::error::<impl core::convert::From<E> for anyhow::Error>::from
   9: __libc_start_call_main
             at ./csu/../sysdeps/nptl/libc_start_call_main.h:58:16
`
  const script = `TypeError: no
    at errorOf (file:///emulator.ts:1:1)
`
  expect(lastWordsOf(rust)).toBe('Error code 26: File opened that is not a database file')
  expect(lastWordsOf(script)).toBe('TypeError: no')
})

test('without a fault the last line counts, and no line is none', () => {
  expect(lastWordsOf('port 1\nlistening\n')).toBe('listening')
  expect(lastWordsOf('\n')).toBeNull()
})
