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

const ARROW = 'boundaries/dependencies'
const SYNTAX = 'no-restricted-syntax'
const GLOBAL = 'no-restricted-globals'
const DOCSTRING = 'jsdoc/require-jsdoc'
const PROPERTY = 'no-restricted-properties'

const uses = (name: string, path: string) =>
  `import { ${name} } from '${path}'\nexport const used = ${name}\n`

/** In two parts, because otherwise this file would break the rule. */
const REPLACE = 'REPLACE'

const OVERLOADED = `/** Said once. */
export function twice(text: string): string
export function twice(text: string | number) {
  return text.toString()
}
`

/** The file that holds a text does not exist; the paths of its imports do. */
const refused: [at: string, text: string, rule: string][] = [
  ['src/loose.ts', 'export const loose = 1\n', 'boundaries/no-unknown-files'],
  ['edge-api/loose.ts', 'export const loose = 1\n', 'boundaries/no-unknown-files'],
  ['src/stores/new.ts', uses('user', '../../tests/stores/support/samples.ts'), ARROW],
  ['src/stores/new.ts', uses('database', '../../edge-api/db/database.ts'), ARROW],
  ['src/stores/new.ts', uses('useState', 'react'), ARROW],
  ['src/stores/new.ts', 'export const late = Date.now()\n', PROPERTY],
  ['src/ui/New.tsx', uses('useStore', '@nanostores/react'), ARROW],
  ['src/ui/New.tsx', "export const asked = globalThis.fetch('/api')\n", GLOBAL],
  ['src/ui/New.tsx', "export const asked = fetch('/api')\n", GLOBAL],
  ['src/islands/New.tsx', "export const asked = window.fetch('/api')\n", PROPERTY],
  ['src/islands/New.tsx', uses('brand', '../../site/brand.ts'), ARROW],
  ['src/contract/new.ts', uses('sql', 'drizzle-orm'), ARROW],
  ['edge-api/domain/new.ts', uses('Razorpay', 'razorpay'), ARROW],
  ['edge-api/domain/ports/new.ts', uses('recordEvent', '../account/account-event.ts'), ARROW],
  ['edge-api/domain/account/new.ts', uses('login', '../session/login.ts'), ARROW],
  ['edge-api/domain/new.ts', uses('login', './session/login.ts'), ARROW],
  ['edge-api/gateways/new.ts', uses('recordEvent', '../domain/account/account-event.ts'), ARROW],
  ['edge-api/domain/new.ts', uses('env', 'cloudflare:workers'), ARROW],
  ['edge-api/domain/new.ts', uses('Hono', 'hono'), ARROW],
  ['edge-api/domain/new.ts', "export const late = import('hono')\n", ARROW],
  ['edge-api/domain/new.ts', 'export const late = import(`hono`)\n', SYNTAX],
  ['edge-api/domain/new.ts', uses('randomUUID', 'node:crypto'), 'no-restricted-imports'],
  ['edge-api/domain/new.ts', 'export const now = new Date()\n', SYNTAX],
  ['edge-api/domain/new.ts', 'export const now = Date()\n', SYNTAX],
  ['edge-api/domain/new.ts', 'export const now = Date.now()\n', PROPERTY],
  ['edge-api/domain/new.ts', 'export const now = performance.now()\n', GLOBAL],
  ['edge-api/domain/new.ts', `export const query = sql\`INSERT OR ${REPLACE} INTO t\`\n`, SYNTAX],
  ['tools/new.ts', `export const query = '${REPLACE} INTO t SELECT 1'\n`, SYNTAX],
  ['edge-api/routes/new.ts', 'export const key = process.env.KEY\n', GLOBAL],
  ['edge-api/routes/new.ts', uses('env', 'node:process'), ARROW],
  ['edge-api/routes/new.ts', uses('database', '../db/database.ts'), ARROW],
  ['edge-api/app.ts', uses('buildServices', './services.ts'), ARROW],
  ['src/lib/new.ts', "export { formatAgo } from './dates.ts'\n", SYNTAX],
  ['src/lib/new.ts', "export * from './dates.ts'\n", SYNTAX],
  ['edge-api/domain/new.ts', 'export function settle() {}\n', DOCSTRING],
  ['src/contract/new.ts', 'export const days = (count: number) => count * 24\n', DOCSTRING],
  ['src/contract/new.ts', '// Not read by editors.\nexport async function ask() {}\n', DOCSTRING],
  [
    'src/lib/new.ts',
    "import { formatAgo } from './dates.ts'\nimport { formatDay } from './dates.ts'\n",
    'no-duplicate-imports',
  ],
  [
    'src/stores/new.test.ts',
    uses('createStoreWorld', '../../tests/stores/support/store-world.ts'),
    'no-restricted-imports',
  ],
  ['src/api/new.test.ts', uses('createServer', 'node:http'), 'no-restricted-imports'],
  [
    'src/lib/new.ts',
    '// eslint-disable-next-line\nexport const cast = 1 as unknown\n',
    '@typescript-eslint/consistent-type-assertions',
  ],
]

test.each(refused)(
  '%s may not hold: %s',
  async (at, text, rule) => {
    expect(await broken(at, text)).toContain(rule)
  },
  LOADING_MS,
)

const fine: [at: string, text: string][] = [
  ['src/stores/new.ts', uses('atom', 'nanostores')],
  ['src/ui/New.tsx', uses('useState', 'react')],
  ['edge-api/domain/new.ts', uses('sql', 'drizzle-orm')],
  ['edge-api/domain/new.ts', uses('database', '../db/database.ts')],
  [
    'edge-api/domain/new.ts',
    '/** Milliseconds. */\nexport const at = (ms: number) => new Date(ms)\n',
  ],
  ['src/contract/new.ts', OVERLOADED],
  ['site/pages/new.ts', uses('brand', '../brand.ts')],
  ['tests/api/new.test.ts', uses('database', '../../edge-api/db/database.ts')],
]

test.each(fine)(
  '%s may hold: %s',
  async (at, text) => {
    expect(await broken(at, text)).toEqual([])
  },
  LOADING_MS,
)
