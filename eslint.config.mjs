import astro from 'eslint-plugin-astro'
import boundaries from 'eslint-plugin-boundaries'
import importX from 'eslint-plugin-import-x'
import tseslint from 'typescript-eslint'
import { arrows, loneFiles, rooms } from './tools/lint/arrows.mjs'

const tests = ['**/*.test.ts', '**/*.test.tsx', 'tests/**']

export default tseslint.config(
  { ignores: ['dist/', '.astro/', '.data/', '.tools/', '.wrangler/', 'public/', 'tools/**/*.js'] },
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  ...astro.configs.recommended,
  {
    plugins: { boundaries, 'import-x': importX },
    settings: {
      'boundaries/elements': rooms,
      'boundaries/files': loneFiles,
      'import/resolver': { typescript: true, node: true },
      'import-x/resolver': { typescript: true, node: true },
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
    },
    rules: {
      'boundaries/dependencies': ['error', { default: 'disallow', policies: arrows }],
      'import-x/no-cycle': 'error',
      'import-x/no-duplicates': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportAllDeclaration',
          message: 'No barrels: import a thing from its own file.',
        },
        {
          selector: "CallExpression[callee.object.name='vi'][callee.property.name='mock']",
          message: 'Test against the real thing.',
        },
        {
          selector: "MemberExpression[object.property.name='coerce'][property.name='boolean']",
          message: '"false" would be true: use z.stringbool().',
        },
      ],
    },
  },
  {
    files: ['edge-api/domain/**', 'src/contract/**'],
    ignores: tests,
    rules: {
      'no-restricted-globals': [
        'error',
        'window',
        'document',
        'localStorage',
        'navigator',
        'fetch',
        'process',
      ],
      'no-restricted-imports': [
        'error',
        { patterns: ['hono', 'hono/*', 'react', 'react-dom', 'astro', 'astro:*'] },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Time is handed in: ctx.clock.' },
        { object: 'Math', property: 'random', message: 'Randomness is handed in: ctx.random.' },
        { object: 'crypto', property: 'randomUUID', message: 'Ids are handed in: ctx.newId.' },
      ],
    },
  },
  {
    files: tests,
    rules: { 'boundaries/dependencies': 'off' },
  },
)
