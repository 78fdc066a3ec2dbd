import { expect, test } from 'vitest'
import { safeNext } from './safe-next.ts'

test.each(['/dashboard', '/profile?tab=security', '/receipt?id=pur_1#top'])(
  '%s is a path of this site',
  (next) => {
    expect(safeNext(next)).toBe(next)
  },
)

test.each([
  null,
  '',
  'dashboard',
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/.//evil.example',
  '/x/..//evil.example',
  '/%0d%0a\n',
  '\t//evil.example',
  'javascript:alert(1)',
])('%j is not a path of this site', (next) => {
  expect(safeNext(next)).toBeNull()
})
