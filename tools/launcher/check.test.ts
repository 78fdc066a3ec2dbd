import { expect, test } from 'vitest'
import { check, whenDeclared } from './check.ts'

test('a check that needs the types that Astro generates says why there are none, and does not run', async () => {
  const failed = { code: 1, output: 'Unable to load your Astro config' }
  const check = () => Promise.reject(new Error('It ran.'))
  expect(await whenDeclared(Promise.resolve(failed), check)).toBe(failed)
})

test('a word that `npm run check` does not know ends it at once', async () => {
  await expect(check(['--fixx'])).rejects.toThrow('npm run check takes no "--fixx".')
})
