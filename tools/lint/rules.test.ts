import { ESLint } from 'eslint'
import { expect, test } from 'vitest'
import { root } from '../launcher/settings.ts'

const eslint = new ESLint({ cwd: root })

/** The rules that this text breaks at this path, each once. */
async function broken(filePath: string, text: string): Promise<(string | null)[]> {
  const results = await eslint.lintText(text, { filePath })
  const messages = results.flatMap((result) => result.messages)
  return [...new Set(messages.map(({ ruleId, message }) => ruleId ?? message))]
}

/** The first text waits for ESLint to load its plugins. */
const LOADING_MS = 60_000

const IMPORT = 'boundaries/dependencies'
const SYNTAX = 'no-restricted-syntax'
const GLOBAL = 'no-restricted-globals'
const DOCSTRING = 'jsdoc/require-jsdoc'
const PROPERTY = 'no-restricted-properties'
const CAST = '@typescript-eslint/consistent-type-assertions'

const uses = (name: string, path: string) =>
  `import { ${name} } from '${path}'\nexport const used = ${name}\n`

/** In two parts, because otherwise this file would break the rule. */
const REPLACE = 'REPLACE'

/** Rows for the kinds of rule. The file that holds a text does not exist; the paths of its imports do. */
const refused: [at: string, text: string, rule: string][] = [
  ['src/loose.ts', 'export const loose = 1\n', 'boundaries/no-unknown-files'],
  // Between folders, one in another, from and to a single file, to a package, to Node, and later.
  ['edge-api/domain/account/new.ts', uses('login', '../sign-in/login.ts'), IMPORT],
  ['src/features/new/New.tsx', uses('brand', '../../../site/brand.ts'), IMPORT],
  ['src/features/new/new.ts', uses('createPlans', '../plans/plans.ts'), IMPORT],
  ['edge-api/app.ts', uses('buildServices', './services.ts'), IMPORT],
  ['edge-api/domain/new.ts', uses('Hono', 'hono'), IMPORT],
  ['edge-api/routes/new.ts', uses('env', 'node:process'), IMPORT],
  ['edge-api/domain/new.ts', "export const late = import('hono')\n", IMPORT],
  ['edge-api/domain/new.ts', 'export const late = import(`hono`)\n', SYNTAX],
  ['edge-api/domain/new.ts', uses('randomUUID', 'node:crypto'), 'no-restricted-imports'],
  ['edge-api/domain/new.ts', 'export const now = new Date()\n', SYNTAX],
  ['src/features/new/new.ts', 'export const late = Date.now()\n', PROPERTY],
  ['edge-api/domain/new.ts', 'export const now = performance.now()\n', GLOBAL],
  ['src/ui/New.tsx', "export const asked = globalThis.fetch('/api')\n", GLOBAL],
  ['src/features/new/New.tsx', "export const asked = window.fetch('/api')\n", PROPERTY],
  ['edge-api/domain/new.ts', `export const query = sql\`INSERT OR ${REPLACE} INTO t\`\n`, SYNTAX],
  ['tools/new.ts', `export const query = '${REPLACE} INTO t SELECT 1'\n`, SYNTAX],
  ['src/ui/New.tsx', "export const asked = fetch('/api')\n", GLOBAL],
  ['src/lib/new.ts', "export { formatAgo } from './dates.ts'\n", SYNTAX],
  ['src/contract/new.ts', 'export const days = (count: number) => count * 24\n', DOCSTRING],
  ['src/lib/new.test.ts', uses('createServer', 'node:http'), 'no-restricted-imports'],
  ['src/lib/new.ts', '// eslint-disable-next-line\nexport const cast = 1 as unknown\n', CAST],
]

test.each(refused)(
  '%s may not hold: %s',
  async (at, text, rule) => {
    expect(await broken(at, text)).toContain(rule)
  },
  LOADING_MS,
)
