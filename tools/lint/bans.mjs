/** Names that no file may use, and names that are banned where time, randomness and services are injected. */

/** SQL that deletes a conflicting row without firing the DELETE triggers (edge-api/db/schema/triggers.sql). */
const REPLACING = '/\\bOR\\s+REPLACE\\b|\\bREPLACE\\s+INTO\\b/i'

const syntax = [
  {
    selector: ':matches(ExportAllDeclaration, ExportNamedDeclaration[source])',
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
  {
    selector: `:matches(TemplateElement[value.raw=${REPLACING}], Literal[value=${REPLACING}])`,
    message: 'It deletes rows past the guards: use ON CONFLICT.',
  },
]

/** In the browser and the Worker: the import rules cannot check an import whose path is computed. */
const opaqueImport = {
  selector: "ImportExpression[source.type!='Literal']",
  message: 'Write the path as a string, so that lint can check it.',
}

const ownTime = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Take the time as a parameter: a clock, or the instant itself.',
  },
  {
    selector: "CallExpression[callee.name='Date']",
    message: 'Take the time as a parameter: a clock, or the instant itself.',
  },
]

/** `globalThis.fetch` is `fetch`, so these names would get around every other ban. */
const waysAround = ['globalThis', 'self', 'global', 'process', 'require']

const network = ['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket']
const surroundings = [...network, 'localStorage', 'sessionStorage', 'navigator', 'caches']
const clocks = ['performance', 'setTimeout', 'setInterval']

const ownSource = [
  { object: 'Date', property: 'now', message: 'Take the time as a parameter.' },
  { object: 'Math', property: 'random', message: 'Take random values as a parameter.' },
  { object: 'crypto', property: 'randomUUID', message: 'Take the id as a parameter.' },
  { object: 'crypto', property: 'getRandomValues', message: 'Take random values as a parameter.' },
]

const randomOfNode = ['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues', 'webcrypto']

export const everywhere = { 'no-restricted-syntax': ['error', ...syntax] }

export const inProduct = {
  'no-restricted-syntax': ['error', ...syntax, opaqueImport],
  'no-restricted-globals': ['error', ...waysAround],
}

/** The network belongs to src/api, which stores call. */
export const withoutNetwork = {
  'no-restricted-globals': ['error', ...waysAround, ...network],
  'no-restricted-properties': ['error', { object: 'window', property: 'fetch' }],
}

/** The composition roots inject these: worker.ts and services.ts, and src/lib/environment.ts in the browser. */
export const handedIn = {
  'no-restricted-syntax': ['error', ...syntax, opaqueImport, ...ownTime],
  'no-restricted-globals': ['error', ...waysAround, ...surroundings, ...clocks],
  'no-restricted-properties': ['error', ...ownSource],
  'no-restricted-imports': [
    'error',
    { paths: [{ name: 'node:crypto', importNames: randomOfNode }] },
  ],
}

/** The scripts of pages: ESLint sees each as a file inside the page's, so their paths cannot be resolved. */
export const inPageScript = {
  'boundaries/dependencies': 'off',
  'no-restricted-imports': [
    'error',
    { patterns: [{ regex: '^(?!(\\.\\./)+(scripts|src/(contract|features|lib))/)' }] },
  ],
}

/** Unit tests start no server and no program; tests that do have tiers of their own (vitest.config.ts). */
export const startsNothing = {
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        {
          regex: '/tests/|^node:(http|https|net|child_process|worker_threads)$',
          message:
            'A test that needs this is not a unit test: move it to its tier (vitest.config.ts).',
        },
      ],
    },
  ],
}

const MONEY =
  '/^(payments|refundsAndDisputes|pendingRefunds|grants|receipts|creditNotes|ledger|lots)$/'
const MONEY_SQL =
  '/\\b(INSERT INTO|UPDATE|DELETE FROM) (payments|refunds_and_disputes|owed_refunds|grants|receipts|credit_notes|ledger|lots)\\b/i'
const writtenElsewhere =
  'Money is written by save.ts, use-tokens.ts and the few files that eslint.config.mjs names: decide it in the core.'

/** For all code that writes no money. */
export const writesNoMoney = {
  'no-restricted-syntax': [
    ...handedIn['no-restricted-syntax'],
    {
      selector: `CallExpression[callee.property.name=/^(insert|update|delete)$/][arguments.0.name=${MONEY}]`,
      message: writtenElsewhere,
    },
    {
      selector: `CallExpression[callee.name='insertFrom'][arguments.0.name=${MONEY}]`,
      message: writtenElsewhere,
    },
    { selector: `TemplateElement[value.raw=${MONEY_SQL}]`, message: writtenElsewhere },
  ],
}

/** The core of money: it knows no database, no clock and no Razorpay but by their types. */
export const decidesOnly = {
  '@typescript-eslint/no-restricted-imports': [
    'error',
    {
      patterns: [
        {
          regex: '^(?!\\./|\\.\\./\\.\\./time\\.ts$|.*/src/contract/limits\\.ts$)',
          allowTypeImports: true,
          message: 'The core decides from what it is given: import types only.',
        },
      ],
    },
  ],
}

/** For code that does not know any page or request. */
export const knowsNoPage = {
  'no-restricted-globals': [...handedIn['no-restricted-globals'], 'window', 'document'],
}
