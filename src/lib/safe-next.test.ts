import { expect, test } from 'vitest'
import { safeNext } from './safe-next.ts'

test.each(['/dashboard', '/profile?tab=security', '/subscription#plans', '/a/../b'])(
  'a path of this site is followed: %s',
  (next) => {
    expect(safeNext(next)).toMatch(/^\/\w/)
  },
)

test.each([
  null,
  '',
  'dashboard',
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/\tevil',
  'javascript:alert(1)',
])('what a browser could read as another place is not: %s', (next) => {
  expect(safeNext(next)).toBeNull()
})
