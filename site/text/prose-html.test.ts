import { expect, test } from 'vitest'
import { brand } from '../brand.ts'
import { proseHtml } from './prose-html.ts'

test('an address in angle brackets becomes a mail link', () => {
  expect(proseHtml('<p>Write to &#x3C;{supportEmail}>.</p>')).toBe(
    `<p>Write to <a href="mailto:${brand.supportEmail}">${brand.supportEmail}</a>.</p>`,
  )
})

test('a table gets a frame that can be scrolled by keyboard', () => {
  expect(proseHtml('<table><tr></tr></table>')).toBe(
    '<div class="table-scroll" tabindex="0"><table class="table"><tr></tr></table></div>',
  )
})

test('a text that was not rendered stops the build', () => {
  expect(() => proseHtml(undefined)).toThrow('not rendered')
})
