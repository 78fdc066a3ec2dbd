/** What no file may use, and what files that get time, randomness and services injected may not use. */

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
]

/** In the browser and the Worker: the import rules cannot check an import whose path is computed. */
const opaqueImport = {
  selector: "ImportExpression[source.type!='Literal']",
  message: 'Write the path out: the rooms are held by it.',
}

const ownTime = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Time is handed in: a clock, or the instant itself.',
  },
  {
    selector: "CallExpression[callee.name='Date']",
    message: 'Time is handed in: a clock, or the instant itself.',
  },
]

/** `globalThis.fetch` is `fetch`, so these names would get around every other ban. */
const waysAround = ['globalThis', 'self', 'global', 'process', 'require']

const network = ['fetch', 'XMLHttpRequest', 'EventSource', 'WebSocket']
const surroundings = [...network, 'localStorage', 'sessionStorage', 'navigator', 'caches']
const clocks = ['performance', 'setTimeout', 'setInterval']

const ownSource = [
  { object: 'Date', property: 'now', message: 'Time is handed in.' },
  { object: 'Math', property: 'random', message: 'Randomness is handed in.' },
  { object: 'crypto', property: 'randomUUID', message: 'Ids are handed in.' },
  { object: 'crypto', property: 'getRandomValues', message: 'Randomness is handed in.' },
]

const randomOfNode = ['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues', 'webcrypto']

export const everywhere = { 'no-restricted-syntax': ['error', ...syntax] }

export const inProduct = {
  'no-restricted-syntax': ['error', ...syntax, opaqueImport],
  'no-restricted-globals': ['error', ...waysAround],
}

/** The network belongs to src/api, which the stores call. */
export const withoutNetwork = {
  'no-restricted-globals': ['error', ...waysAround, ...network],
  'no-restricted-properties': ['error', { object: 'window', property: 'fetch' }],
}

/** The composition roots inject these: worker.ts and services.ts, and src/stores/browser.ts in the browser. */
export const handedIn = {
  'no-restricted-syntax': ['error', ...syntax, opaqueImport, ...ownTime],
  'no-restricted-globals': ['error', ...waysAround, ...surroundings, ...clocks],
  'no-restricted-properties': ['error', ...ownSource],
  'no-restricted-imports': [
    'error',
    { paths: [{ name: 'node:crypto', importNames: randomOfNode }] },
  ],
}

/** The scripts of pages: their paths are not resolved, because a script stands in a file of its own inside the page's. */
export const inPageScript = {
  'boundaries/dependencies': 'off',
  'no-restricted-imports': ['error', { patterns: [{ regex: '^(?!(\\.\\./)+scripts/)' }] }],
}

/** Unit tests start no server and no program; tests that do have tiers of their own (vitest.config.ts). */
export const startsNothing = {
  'no-restricted-imports': [
    'error',
    {
      patterns: [
        {
          regex: '/tests/|^node:(http|https|net|child_process|worker_threads)$',
          message: 'A test that needs this is no unit test: put it into its tier under tests/.',
        },
      ],
    },
  ],
}

/** For code that does not know any page or request. */
export const knowsNoPage = {
  'no-restricted-globals': [...handedIn['no-restricted-globals'], 'window', 'document'],
}
