import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Plugin } from 'vite'

const CONTRACT = /\/src\/contract\/[\w-]+\.ts$/
const SCHEMAS = '?schemas'
/** Groups of texts: the browser gets each group as a module, of which a page loads the texts that it uses. */
const MESSAGES = /\/src\/contract\/messages\.ts$/

/**
 * Gives the browser a contract without schemas (docs/decisions/0074-the-browser-loads-no-schemas-of-answers.md). From a
 * file of the contract it gets the plain data, including the calls, each with the shape of its answer. The rest of the
 * file is loaded under another name, `?schemas`, with zod, and only by code that uses it: forms.
 */
export function browserContract(): Plugin {
  return {
    name: 'browser-contract',
    // During development the whole contract is loaded, and a change of it shows at once.
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: {
      filter: { id: /^\.\// },
      async handler(source, importer) {
        if (importer?.endsWith(SCHEMAS) !== true) return null
        const file = resolve(dirname(importer), source)
        return dataOf(await import(file)) === null ? file : file + SCHEMAS
      },
    },
    load: {
      filter: { id: /\/src\/contract\// },
      async handler(id) {
        const [file = '', query] = id.split('?')
        if (query === 'schemas') {
          const code = await readFile(file, 'utf8')
          return { code, moduleType: 'ts', moduleSideEffects: false }
        }
        if (!CONTRACT.test(file)) return null
        if (MESSAGES.test(file)) return { code: textsOf(await import(file), file, query) }
        const data = dataOf(await import(file))
        if (data === null) return null
        if (query !== undefined)
          return { code: `export const ${query} = ${data[query]}`, moduleType: 'js' }
        const names = Object.keys(data)
        return {
          code: [
            ...names.map((name) => `export { ${name} } from '${file}?${name}'`),
            `export * from '${file}${SCHEMAS}'`,
          ].join('\n'),
          moduleType: 'js',
          moduleSideEffects: false,
        }
      },
    },
  }
}

/** The exports of a file that are plain data, as JSON; null when it has no schema, and nothing to leave out. */
export function dataOf(exports: Readonly<Record<string, unknown>>): Record<string, string> | null {
  const values = Object.entries(exports)
  if (!values.some(([, value]) => hasSchema(value))) return null
  return Object.fromEntries(
    values.flatMap(([name, value]) => {
      const data = isCall(value) ? withoutSchemas(value) : value
      return isPlain(data) ? [[name, JSON.stringify(data)]] : []
    }),
  )
}

/** The module of a group of texts as an export for each; without a group, the module of all groups. */
function textsOf(groups: Readonly<Record<string, unknown>>, file: string, group?: string): string {
  if (group === undefined) {
    return Object.entries(groups)
      .map(([name, value]) =>
        isObject(value) ? `export * as ${name} from '${file}?${name}'` : constant([name, value]),
      )
      .join('\n')
  }
  return Object.entries(groups[group] ?? {})
    .map(constant)
    .join('\n')
}

const constant = ([name, value]: [string, unknown]) =>
  `export const ${name} = ${typeof value === 'function' ? value.toString() : JSON.stringify(value)}`

interface Call {
  method: unknown
  path: unknown
  answer: object
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isCall = (value: unknown): value is Call =>
  isObject(value) && 'method' in value && 'path' in value && 'answer' in value
const isSchema = (value: unknown) => isObject(value) && '_zod' in value
const hasSchema = (value: unknown) => isCall(value) || isSchema(value)

/** The parts of a call that the browser uses. */
function withoutSchemas({ method, path, answer }: Call): object {
  return { method, path, answer }
}

/** Whether JSON can represent a value completely. */
function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlain)
  if (!isObject(value))
    return ['string', 'number', 'boolean'].includes(typeof value) || value === null
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain)
}
