import { expect, test } from 'vitest'
import { cleanPath, shareImagePath } from './public-pages.ts'

test('the canonical path of a built file has no .html', () => {
  expect(cleanPath('/download.html')).toBe('/download')
  expect(cleanPath('/subscription/success.html')).toBe('/subscription/success')
})

test('the canonical path of the landing page is always a slash', () => {
  for (const spelling of ['/', '/index', '/index.html', '']) expect(cleanPath(spelling)).toBe('/')
})

test('each public page has its share image; all others have that of the landing page', () => {
  expect(shareImagePath('/download')).toBe('/og/download.png')
  for (const path of ['/', '/login']) expect(shareImagePath(path)).toBe('/og/home.png')
})
