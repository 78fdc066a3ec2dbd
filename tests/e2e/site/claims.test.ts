import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { releases } from '../../../site/releases/releases.ts'
import { textsOf } from '../../../site/releases/texts.ts'
import { fill } from '../../../site/text/fill.ts'
import { root } from '../../../tools/launcher/settings.ts'
import { newVisitor } from '../../harness/visitor.ts'
import { PUBLIC_PATHS } from './pages.ts'

const FILE = 'docs/claims.md'

/** A figure, or a word that promises something without exception. */
const CLAIMS =
  /\d|\b(never|always|only|nobody|no one|nothing|none|everything|every|all|any|cannot|no)\b/i

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** The sentences of a line that claim something. */
function claimsIn(line: string): string[] {
  return line
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.?!])\s+(?=[A-Z"“])/)
    .filter((sentence) => CLAIMS.test(sentence) && /[a-z]{3}/.test(sentence))
}

/** The sentences of a page that claim something. Tags inside of a sentence are dropped; all others end it. */
function claimsOf(html: string): string[] {
  const main = /<main[^>]*>([^]*)<\/main>/.exec(html)?.[1] ?? ''
  const text = main
    .replaceAll(/<(script|style|noscript|template|svg|pre|form)\b[^]*?<\/\1>/g, '\n')
    .replaceAll(/<\/?(a|strong|em|span|code|b|time|abbr)\b[^>]*>/g, '')
    // A > may stand in an attribute, as in the sizes of a picture.
    .replaceAll(/<(?:"[^"]*"|[^">])+>/g, '\n')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
  return text.split('\n').flatMap(claimsIn)
}

test('every claim on a public page has a row that says what holds it, and every row is on a page', async () => {
  const doc = readFileSync(join(root, FILE), 'utf8')
  // Facts of the brand may end in a full stop, as in "M.G. Road", or claim nothing, as a number.
  const rows = [...doc.matchAll(/^- (.+)$/gm)].flatMap(([, row = '']) => claimsIn(fill(row)))
  const holders = [...doc.matchAll(/^## .*`(.+)`$/gm)].map(([, path = '']) => path)
  expect(holders.filter((path) => !existsSync(join(root, path)))).toEqual([])
  const visitor = newVisitor(inject('siteUrl'))
  const pages = await Promise.all(
    PUBLIC_PATHS.map(async (path) => claimsOf(String((await visitor.call(path)).body))),
  )
  const claims = new Set(pages.flat())
  const known = new Set([...rows, ...textsOf(releases).flatMap((text) => claimsIn(fill(text)))])
  expect(claims.size).toBeGreaterThan(100)
  const unheld = [...claims].filter((claim) => !known.has(claim))
  expect(unheld, `Add these to ${FILE}, under what holds them`).toEqual([])
  const stale = rows.filter((row) => !claims.has(row))
  expect(stale, `Remove these from ${FILE}: no page says them`).toEqual([])
})
