import { expect, test } from 'vitest'
import { brand } from '../brand.ts'
import { fill, proseHtml } from './fill.ts'

test('every name in braces becomes its value', () => {
  expect(fill('{a} and {b} and {a}', { a: '1', b: '2' })).toBe('1 and 2 and 1')
})

test('an unknown name stops the build', () => {
  expect(() => fill('{prize}', { price: '1' })).toThrow('{prize}')
})

test('an address in angle brackets becomes a mail link', () => {
  expect(proseHtml('<p>Write to &#x3C;{supportEmail}>.</p>')).toBe(
    `<p>Write to <a href="mailto:${brand.supportEmail}">${brand.supportEmail}</a>.</p>`,
  )
})

test('a table gets a wrapper that can scroll, and is no stop of the Tab key while it need not', () => {
  expect(proseHtml('<table><tr></tr></table>')).toBe(
    '<div class="table-scroll"><table class="table"><tr></tr></table></div>',
  )
})

test('a text that was not rendered stops the build', () => {
  expect(() => proseHtml(undefined)).toThrow('not rendered')
})
