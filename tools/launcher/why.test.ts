import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../tests/harness/scratch-folder.ts'
import { workerModules } from './sizes.ts'
import { whyTable } from './why.ts'

function builtWorker(files: Record<string, string>): string {
  const { path, remove } = scratchFolder('worker')
  onTestFinished(remove)
  mkdirSync(join(path, 'dist/server/chunks'), { recursive: true })
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(path, 'dist/server', name), text)
  return path
}

const map = (mappings: string, sources: string[]) => JSON.stringify({ sources, mappings })

test('what the entry imports is evaluated at the start, what it imports in a call is not', () => {
  const root = builtWorker({
    'entry.mjs':
      'import{a}from"./chunks/shared.mjs";export default()=>import("./chunks/later.mjs")',
    'chunks/shared.mjs': 'import"./deep.mjs";export const a=1',
    'chunks/deep.mjs': '',
    'chunks/later.mjs': '',
  })
  const { atStart, later } = workerModules(root)
  const named = (files: string[]) =>
    files.map((file) => file.slice(join(root, 'dist/server/').length))
  expect(named(atStart)).toEqual(['entry.mjs', 'chunks/shared.mjs', 'chunks/deep.mjs'])
  expect(named(later)).toEqual(['chunks/later.mjs'])
})

test('bytes are told by package, and by folder where they are ours', () => {
  // A package from column 0, our own from column 12,000.
  const root = builtWorker({
    'entry.mjs': `${'p'.repeat(12_000)}${'o'.repeat(8_000)}`,
    'entry.mjs.map': map('AAAA,guXCAA', [
      '../../node_modules/@scope/lib/x.js',
      '../../edge-api/http/env.ts',
    ]),
  })
  expect(whyTable(root)).toContain('     12.0  @scope/lib\n      8.0  edge-api/http')
})
