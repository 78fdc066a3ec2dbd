import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../launcher/settings.ts'

const files = globSync('{docs,edge-api,src,site,tests,tools}/**/*.{ts,tsx,mjs}', { cwd: root })

/** The names in backticks in a text that are the end of no file's path, or of several. */
function unclear(text: string, pattern: RegExp, toPath = (name: string) => name): string[] {
  const names = new Set([...text.matchAll(pattern)].map(([, name = '']) => name))
  const isOne = (path: string) => files.filter((file) => `/${file}`.endsWith(path)).length === 1
  return [...names].filter((name) => !isOne(`/${toPath(name)}`))
}

test.each(globSync('{*.md,docs/**/*.md}', { cwd: root }))('%s names files of the tree', (path) => {
  const text = readFileSync(join(root, path), 'utf8')
  expect(unclear(text, /`(\w[\w./-]*\.(?:tsx?|mjs))`/g)).toEqual([])
})

test('docs/security/payments.md names tests of the tree', () => {
  const text = readFileSync(join(root, 'docs/security/payments.md'), 'utf8')
  const lastCells = [...text.matchAll(/\| ([^|]+) \|$/gm)].map(([, cell = '']) => cell).join()
  const toPath = (name: string) =>
    `${name.includes('/') ? '' : 'edge-api/domain/purchase/'}${name}.test.ts`
  expect(unclear(lastCells, /`([\w./-]+)`/g, toPath)).toEqual([])
})
