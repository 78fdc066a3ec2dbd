import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NEWER_SCRIPT } from '../../../tools/lint/baseline.mjs'
import { root } from '../../../tools/launcher/settings.ts'

const folder = join(root, 'dist/client')

/** The built files with an ending, and their texts. Administrators choose their browsers. */
function built(ending: string): [name: string, text: string][] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith(ending) && !name.startsWith('admin'))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')])
}

const within = (tag: string, html: string) =>
  [...html.matchAll(new RegExp(`<${tag}[^>]*>(.*?)</${tag}>`, 'gs'))].map(([, text]) => text).join()

test('no built script uses what Safari 15.6 lacks, unless it looks for it first', () => {
  const scripts = [
    ...built('.js'),
    ...built('.html').map(([name, html]) => [name, within('script', html)] as const),
  ]
  expect(scripts.length).toBeGreaterThan(60)
  const found = scripts.flatMap(([name, text]) =>
    [...text.matchAll(NEWER_SCRIPT)].map(({ 0: what }) => `${name} ${what}`),
  )
  // zod asks whether it is a function.
  expect(found.filter((one) => !one.endsWith('URL.canParse'))).toEqual([])
})

/** Styles of which an older engine drops a declaration or a whole rule, on which something rests. */
const NEWER_STYLES: Record<string, RegExp> = {
  'a range of widths': /\((?:[\d.]+\w* ?[<>]=?|(?:width|height) ?[<>])/,
  'not without a medium': /@media not \(/,
  'light-dark()': /light-dark\(/,
  'color-mix()': /color-mix\(/,
  'container units or queries': /\d+cq\w|@container|container-type/,
  'a typed property but the edge of the comparison': /@property (?!--at\b)/,
  'overflow: clip': /overflow(?:-\w+)?:[^;}]*\bclip\b/,
  'line-height units': /[\d.]r?lh\b/,
  'an unknown name in a list outside of :is()': /(?<!:is\(|selector\():popover-open/,
  rounding: /:[^;}]*\b(?:round|mod|rem)\(/,
}

test('no built style rests on what Safari 15.6 lacks', () => {
  const styles = built('.html').map(
    ([name, html]) => [name, `${within('style', html)} ${html.match(/ media="[^"]*"/g)}`] as const,
  )
  expect(styles.length).toBeGreaterThan(25)
  const found = styles.flatMap(([name, text]) =>
    Object.entries(NEWER_STYLES).flatMap(([what, one]) =>
      one.test(text) ? [`${name} ${what}`] : [],
    ),
  )
  expect(found).toEqual([])
})
