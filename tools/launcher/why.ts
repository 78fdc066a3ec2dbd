import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { z } from 'zod'
import { workerModules } from './sizes.ts'

const SHOWN = 40

const SourceMap = z.object({ sources: z.array(z.string()), mappings: z.string() })

/** What the built Worker is made of: the bytes of each package and of each folder of ours, the largest first. */
export function whyTable(root: string): string {
  const { atStart, later } = workerModules(root)
  return [
    ...section('Evaluated at the start', atStart),
    ...later.flatMap((file) => section(`Loaded when wanted: ${basename(file)}`, [file])),
  ].join('\n')
}

function section(title: string, files: readonly string[]): string[] {
  const bytes = new Map<string, number>()
  for (const file of files) {
    for (const [source, count] of bytesBySource(file)) {
      const part = partOf(source)
      bytes.set(part, (bytes.get(part) ?? 0) + count)
    }
  }
  const rows = [...bytes].toSorted(([, one], [, other]) => other - one).slice(0, SHOWN)
  const lines = rows.map(([part, count]) => `${(count / 1_000).toFixed(1).padStart(9)}  ${part}`)
  return [`${title} (KB, minified)`, ...lines, '']
}

/** The package of a source, or its folder where it is our own. */
function partOf(source: string): string {
  const [, inPackage] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? []
  if (inPackage !== undefined) return inPackage
  const path = source.replace(/^(\.\.\/)+/, '').split('/')
  return path.slice(0, Math.min(3, path.length - 1)).join('/')
}

/** How many characters of a built file come from each source, as its source map says; a file without one is the bundler's own. */
function bytesBySource(file: string): Map<string, number> {
  if (!existsSync(`${file}.map`)) return new Map()
  const { sources, mappings } = SourceMap.parse(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  const lines = readFileSync(file, 'utf8').split('\n')
  const bytes = new Map<string, number>()
  let source = 0
  for (const [number, line] of mappings.split(';').entries()) {
    let column = 0
    let began: { at: number; source: number } | null = null
    const end = (at: number) => {
      if (began === null) return
      const name = sources[began.source] ?? ''
      bytes.set(name, (bytes.get(name) ?? 0) + at - began.at)
    }
    for (const segment of line.split(',').filter(Boolean)) {
      const [columns = 0, further] = decode(segment)
      column += columns
      end(column)
      source += further ?? 0
      began = further === undefined ? null : { at: column, source }
    }
    end(lines[number]?.length ?? column)
  }
  return bytes
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The numbers of a segment: five bits to a character, the lowest first; the sixth bit says that more follow, the first is the sign. */
function decode(segment: string): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const character of segment) {
    const digit = DIGITS.indexOf(character)
    value += (digit & 31) << shift
    shift += 5
    if ((digit & 32) !== 0) continue
    numbers.push((value & 1) === 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}
