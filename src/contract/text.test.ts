import { describe, expect, test } from 'vitest'
import { ApplicationInput } from './careers.ts'
import { ProfileInput } from './account.ts'
import { LinkSecret } from './credential.ts'
import { accountEmail, email, inAscii, text } from './text.ts'

describe('an address that is not what it looks like is rejected', () => {
  test.each([
    ['a masculine ordinal for an o', '\u00baperator@sotto.example'],
    ['a full-width letter', '\uff4fperator@sotto.example'],
    ['a Kelvin sign', '\u212aay@sotto.example'],
    ['a ligature', 'o\ufb03ce@sotto.example'],
    ['a path behind the domain', 'ada@gmail.com/1'],
    ['a query behind the domain', 'ada@gmail.com?1'],
    ['a fragment behind the domain', 'ada@gmail.com#1'],
    ['a percent-encoded letter in the domain', 'ada@%67mail.com'],
  ])('%s', (_, address) => {
    expect(email().safeParse(address).success).toBe(false)
  })

  test.each(['ada+work@example.com', 'jos\u00e9@example.com', '\u0906@example.in'])(
    '%s is an address',
    (address) => {
      expect(email().parse(address)).toBe(address)
    },
  )

  test.each([
    ['jose\u0301@example.com', 'jos\u00e9@example.com'],
    ['x@ti\u00ea\u0301ng.example', 'x@ti\u1ebfng.example'],
  ])('%s is an address whose marks another keyboard types with their letters', (typed, address) => {
    for (const schema of [email(), accountEmail()]) expect(schema.parse(typed)).toBe(address)
  })
})

describe('new addresses have a domain that mail can reach; older ones are addresses of accounts', () => {
  const invalid = 'Invalid email address'
  test.each([
    'x@gmail..com',
    'a@-x.com',
    'a@x-.com',
    'a@.x.com',
    `a@${'x'.repeat(64)}.com`,
    `a@${'ü'.repeat(60)}.example`,
    '.a@x.com',
  ])('%s', (address) => {
    expect(
      email()
        .safeParse(address)
        .error?.issues.map(({ message }) => message),
    ).toEqual([invalid])
    expect(accountEmail().parse(address)).toBe(address)
  })

  test.each([
    'a..b@docomo.ne.jp',
    'a.@docomo.ne.jp',
    'x@bücher.example',
    'x@xn--bcher-kva.example',
    `a@${'x'.repeat(63)}.com`,
    `a@${'ü'.repeat(50)}.example`,
    "o'neill+a_b=c@x-y.co.uk",
  ])('%s is an address', (address) => {
    expect(email().parse(address)).toBe(address)
  })
})

test.each(['\u200b', '\u200e', '\u202a', '\u202c', '\u2060', '\ufeff', '\u00ad', '\u202e'])(
  'the invisible character %j, which comes with pasted text, is not part of an address or a phone number',
  (mark) => {
    for (const schema of [email(), accountEmail()]) {
      expect(schema.parse(`${mark}ada${mark}@example.com${mark}`)).toBe('ada@example.com')
    }
    const { phone } = ProfileInput.pick({ phone: true }).parse({ phone: `${mark}+44 20${mark}` })
    expect(phone).toBe('+44 20')
  },
)

test.each([
  ['＋８１　９０－１２３４', '+81 90-1234'],
  ['+٩١ ٩٨٧٦٥', '+91 98765'],
  ['+९१ ९८७६५', '+91 98765'],
  ['+49\u00a0151\u2011555', '+49151555'],
])('the phone number %s is %s', (typed, phone) => {
  expect(ProfileInput.shape.phone.parse(typed)).toBe(phone)
  expect(ApplicationInput.shape.phone.parse(typed)).toBe(phone)
})

test('every decimal digit of Unicode is read as its value', () => {
  const wrong: string[] = []
  for (let code = 0x30; code < 0x20000; code += 1) {
    const digit = String.fromCodePoint(code)
    if (!/\p{Nd}/u.test(digit)) continue
    // In UnicodeData.txt each run of ten begins with its zero.
    const next = inAscii(String.fromCodePoint(code + 1))
    const value = inAscii(digit)
    if (!/^\d$/.test(value) || (value !== '9' && next !== `${Number(value) + 1}`)) {
      wrong.push(code.toString(16))
    }
  }
  expect(wrong).toEqual([])
  expect(['0', '٣', '०', '９', '𝟘', '\u{116db}'].map(inAscii).join('')).toBe('030901')
})

test('a vertical tab or a form feed in a long text is a blank', () => {
  expect(text({ max: 60, oneLine: false }).parse('One\vtwo\nthree\ffour')).toBe(
    'One two\nthree four',
  )
})

describe('a name that reads differently from how it is written is rejected', () => {
  const name = text({ max: 60 })
  const broken = ['Ada\n', 'Ada\u0085', 'Ada\u2028', 'Ada\u2029'].map((line) => `${line}Byron`)
  test.each(['Ada\u202e', 'Ad\u200ba', 'Ad\u00ada', '\u2066Ada', ...broken])('%j', (value) => {
    expect(name.safeParse(value).success).toBe(false)
  })

  test.each([
    'Ada',
    '\u0915\u094d\u200d\u0937',
    '\u0645\u06cc\u200c\u062e',
    '\u{1f469}\u200d\u{1f4bb}',
    '\u908a\u{e0101}',
    '\u845b\ufe00',
  ])('%s is a name', (value) => {
    expect(name.parse(value)).toBe(value)
  })
})

test.each(['>', '.', ')', '%3E', '.\n', '>)'])(
  'the mark %j behind a mailed link is not part of its secret',
  (mark) => {
    expect(LinkSecret.parse(`aB3-_9${mark}`)).toBe('aB3-_9')
  },
)
