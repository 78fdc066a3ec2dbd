import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Plugin } from 'vite'

const CONTRACT = /\/src\/contract\/[\w-]+\.ts$/
const SCHEMAS = '?schemas'

/**
 * Gives the browser a contract without schemas (docs/decisions/0074-the-browser-loads-no-schemas-of-answers.md). From a
 * file of the contract it gets the plain data, including the calls, each with the shape of its answer. The rest of the
 * file is loaded under another name, `?schemas`, with zod, and only by code that uses it: forms.
 */
export function browserContract(): Plugin {
  return {
    name: 'browser-contract',
    // While somebody develops, the whole contract is loaded, and a change of it shows at once.
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

/** The exports of a file that are plain data, as JSON; null when it has no schema, so that nothing is to be left out. */
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

/** What the browser uses of a call. */
function withoutSchemas({ method, path, answer }: Call): object {
  return { method, path, answer }
}

/** Whether JSON says all of a value. */
function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlain)
  if (!isObject(value))
    return ['string', 'number', 'boolean'].includes(typeof value) || value === null
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain)
}
