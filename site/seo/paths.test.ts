import { expect, test } from 'vitest'
import { cleanPath } from './paths.ts'

test('a page built as a file keeps the address people type', () => {
  expect(cleanPath('/download.html')).toBe('/download')
  expect(cleanPath('/subscription/success.html')).toBe('/subscription/success')
})

test('the landing page is a slash, however the build spells it', () => {
  for (const spelling of ['/', '/index', '/index.html', '']) expect(cleanPath(spelling)).toBe('/')
})
