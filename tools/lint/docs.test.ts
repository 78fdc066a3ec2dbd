import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../launcher/settings.ts'

const files = globSync('{*,{docs,edge-api,src,site,tests,tools}/**/*}.{ts,tsx,mjs}', { cwd: root })

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The names in backticks in a text that are the end of no file's path, or of several. */
function unclear(text: string, pattern: RegExp, toPath = (name: string) => name): string[] {
  const names = new Set([...text.matchAll(pattern)].map(([, name = '']) => name))
  const isOne = (path: string) => files.filter((file) => `/${file}`.endsWith(path)).length === 1
  return [...names].filter((name) => !isOne(`/${toPath(name)}`))
}

test.each(globSync('{*.md,docs/**/*.md}', { cwd: root }))('%s names files of the tree', (path) => {
  const text = read(path)
  expect(unclear(text, /`(\w[\w./-]*\.(?:tsx?|mjs))`/g)).toEqual([])
})

test('docs/security/payments.md names tests of the tree', () => {
  const text = read('docs/security/payments.md')
  const lastCells = [...text.matchAll(/\| ([^|]+) \|$/gm)].map(([, cell = '']) => cell).join()
  const toPath = (name: string) =>
    `${name.includes('/') ? '' : 'edge-api/domain/purchase/'}${name}.test.ts`
  expect(unclear(lastCells, /`([\w./-]+)`/g, toPath)).toEqual([])
})

test('links between papers, and records that code names, exist', () => {
  const papers = globSync('{*.md,docs/**/*.md}', { cwd: root })
  const links = papers.flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, to = '']) =>
      normalize(join(dirname(path), to)),
    ),
  )
  const named = [...files, 'wrangler.toml'].flatMap(
    (path) => read(path).match(/docs\/[\w./-]+\.md/g) ?? [],
  )
  expect([...links, ...named].filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('docs/ has at most 1,998 lines of Markdown, and 25 decisions', () => {
  const papers = globSync('docs/**/*.md', { cwd: root })
  const lines = papers.reduce((sum, path) => sum + read(path).split('\n').length - 1, 0)
  expect(lines).toBeLessThanOrEqual(1_998)
  expect(papers.filter((path) => path.includes('/decisions/')).length).toBeLessThanOrEqual(25)
})
