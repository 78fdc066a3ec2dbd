import { describe, expect, test } from 'vitest'
import { email, text } from './text.ts'

describe('an address that is not what it looks like is refused', () => {
  test.each([
    ['a masculine ordinal for an o', '\u00baperator@sotto.example'],
    ['a full-width letter', '\uff4fperator@sotto.example'],
    ['a Kelvin sign', '\u212aay@sotto.example'],
    ['a ligature', 'o\ufb03ce@sotto.example'],
    ['a zero-width space', 'opera\u200btor@sotto.example'],
    ['a soft hyphen in the domain', 'operator@sot\u00adto.example'],
    ['a path behind the domain', 'ada@gmail.com/1'],
    ['a query behind the domain', 'ada@gmail.com?1'],
    ['a fragment behind the domain', 'ada@gmail.com#1'],
    ['a percent-encoded letter in the domain', 'ada@%67mail.com'],
    ['a right-to-left override', 'operator\u202e@sotto.example'],
  ])('%s', (_, address) => {
    expect(email().safeParse(address).success).toBe(false)
  })

  test.each(['ada+work@example.com', 'jos\u00e9@example.com', '\u0906@example.in'])(
    '%s is an address',
    (address) => {
      expect(email().parse(address)).toBe(address)
    },
  )
})

describe('a name that reads differently from how it is written is refused', () => {
  const name = text({ max: 60 })
  test.each(['Ada\u202e', 'Ad\u200ba', 'Ad\u00ada', '\u2066Ada'])('%j', (value) => {
    expect(name.safeParse(value).success).toBe(false)
  })

  test.each([
    'Ada',
    '\u0915\u094d\u200d\u0937',
    '\u0645\u06cc\u200c\u062e',
    '\u{1f469}\u200d\u{1f4bb}',
  ])('%s is a name', (value) => {
    expect(name.parse(value)).toBe(value)
  })
})
