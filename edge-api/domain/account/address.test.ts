import { expect, test } from 'vitest'
import { canonicalAddress } from './address.ts'

test.each([
  ['Ada@Example.com', 'ada@example.com'],
  ['a.da+work@example.com', 'a.da@example.com'],
  ['+ada@example.com', '+ada@example.com'],
  ['A.d.a+x@Gmail.com', 'ada@gmail.com'],
  ['ada+y+z@googlemail.com', 'ada@gmail.com'],
  ['a_da-l.k+x@protonmail.com', 'adalk@proton.me'],
  ['a.da+x@mac.com', 'a.da@icloud.com'],
  ['a.da+x@hotmail.com', 'a.da@hotmail.com'],
  ['ada+x@fastmail.fm', 'ada@fastmail.fm'],
  ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
  ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
])('%s is the mailbox %s', (address, mailbox) => {
  expect(canonicalAddress(address)).toBe(mailbox)
})
