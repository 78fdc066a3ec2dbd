import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runAstroCheck } from './check.ts'
import { root } from './settings.ts'

test('a type error in a page fails `npm run check` and `npm test`, and is named with its file', async () => {
  mkdirSync(join(root, '.data'), { recursive: true })
  const folder = mkdtempSync(join(root, '.data/pages-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  writeFileSync(join(folder, 'wrong.astro'), "---\nconst days: number = 'two'\n---\n{days}\n")
  const tsconfig = join(folder, 'tsconfig.json')
  const settings = { extends: '../../tsconfig.pages.json', include: ['wrong.astro'] }
  writeFileSync(tsconfig, JSON.stringify(settings))
  const { code, output } = await runAstroCheck(relative(root, tsconfig))
  expect(code).toBe(1)
  expect(output).toContain('wrong.astro')
  expect(output).toContain("Type 'string' is not assignable to type 'number'")
}, 60_000)
