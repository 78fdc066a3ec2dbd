import astro from 'eslint-plugin-astro'
import boundaries from 'eslint-plugin-boundaries'
import jsdoc from 'eslint-plugin-jsdoc'
import tseslint from 'typescript-eslint'
import { baseline } from './tools/lint/baseline.mjs'
import { folders, importNotAllowed, imports, loneFiles } from './tools/lint/imports.mjs'
import {
  decidesOnly,
  everywhere,
  handedIn,
  inPageScript,
  inProduct,
  knowsNoPage,
  startsNothing,
  withoutNetwork,
  writesNoMoney,
} from './tools/lint/bans.mjs'

const tests = ['**/*.test.ts', '**/*.test.tsx', 'tests/**']

export default tseslint.config(
  { ignores: ['dist/', '.astro/', '.data*/', '.tools/', '.wrangler/', 'public/', 'tools/**/*.js'] },
  // No file may switch a rule off for itself.
  { linterOptions: { noInlineConfig: true } },
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  ...astro.configs.recommended,
  {
    plugins: { boundaries },
    settings: {
      'boundaries/elements': folders,
      'boundaries/files': loneFiles,
      'import/resolver': { node: true },
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          message: importNotAllowed,
          policies: imports,
          checkAllOrigins: true,
          checkUnknownLocals: true,
        },
      ],
      'boundaries/no-unknown-files': 'error',
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': true }],
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      ...everywhere,
    },
  },
  { files: ['src/**', 'edge-api/**'], ignores: tests, rules: inProduct },
  {
    files: ['edge-api/**/*.ts', 'src/{api,contract,features,lib}/**/*.ts'],
    ignores: tests,
    plugins: { jsdoc },
    rules: {
      // Units, errors and the source of a rule are not in a name or a type.
      'jsdoc/require-jsdoc': [
        'error',
        {
          contexts: [
            'FunctionDeclaration',
            'VariableDeclaration > * > ArrowFunctionExpression',
          ].map((node) => `ExportNamedDeclaration > ${node}`),
          require: { FunctionDeclaration: false },
          exemptOverloadedImplementations: true,
          enableFixer: false,
        },
      ],
    },
  },
  {
    files: ['src/{features,lib}/**'],
    ignores: [...tests, 'src/lib/environment.ts'],
    rules: withoutNetwork,
  },
  {
    files: ['src/{api,ui}/**', 'src/features/**/*.ts', 'edge-api/{routes,jobs}/**'],
    ignores: tests,
    rules: handedIn,
  },
  {
    files: ['edge-api/domain/**', 'src/contract/**'],
    ignores: tests,
    rules: { ...handedIn, ...knowsNoPage },
  },
  {
    files: ['edge-api/{domain,jobs}/**'],
    ignores: [
      ...tests,
      // What the core decided; what it is told; uses, trials and what operators give; and the job's count of its attempts.
      'edge-api/domain/purchase/{save,send-pending-refunds}.ts',
      'edge-api/domain/tokens/{use-tokens,trial}.ts',
      '**/actions/goodwill.ts',
    ],
    rules: writesNoMoney,
  },
  { files: ['edge-api/domain/purchase/core/**'], ignores: tests, rules: decidesOnly },
  { files: ['**/*.astro/*.ts', '**/*.astro/*.js'], rules: inPageScript },
  {
    files: ['src/**', 'site/scripts/**', '**/*.astro/*.ts', '**/*.astro/*.js'],
    ignores: tests,
    plugins: { browsers: { rules: { baseline } } },
    rules: { 'browsers/baseline': 'error' },
  },
  {
    files: tests,
    rules: { 'boundaries/dependencies': 'off', 'boundaries/no-unknown-files': 'off' },
  },
  { files: ['{src/{contract,lib,ui},site}/**/*.test.{ts,tsx}'], rules: startsNothing },
)
