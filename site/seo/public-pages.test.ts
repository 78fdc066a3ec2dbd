import { expect, test } from 'vitest'
import { cleanPath, shareImagePath } from './public-pages.ts'

test('a page built as a file keeps the address people type', () => {
  expect(cleanPath('/download.html')).toBe('/download')
  expect(cleanPath('/subscription/success.html')).toBe('/subscription/success')
})

test('the landing page is a slash, however the build spells it', () => {
  for (const spelling of ['/', '/index', '/index.html', '']) expect(cleanPath(spelling)).toBe('/')
})

test('a public page has a share image of its own, any other that of the landing page', () => {
  expect(shareImagePath('/download')).toBe('/og/download.png')
  for (const path of ['/', '/login']) expect(shareImagePath(path)).toBe('/og/home.png')
})
