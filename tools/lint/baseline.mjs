/**
 * What the oldest browsers of `browserslist` (package.json) lack, Safari 15.6 above all: names of methods, methods of an object,
 * and syntax of regular expressions. Lint refuses it in browser code, and tests/e2e/site/baseline.test.ts in what was built.
 */
const METHODS = [
  ...['toSorted', 'toReversed', 'toSpliced', 'groupBy', 'withResolvers', 'fromAsync', 'waitAsync'],
  ...['isWellFormed', 'toWellFormed', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom'],
  ...['symmetricDifference', 'toBase64', 'fromBase64', 'toHex', 'fromHex', 'getOrInsert'],
  ...['getOrInsertComputed', 'sumPrecise', 'rawJSON', 'supportedValuesOf', 'DurationFormat'],
  ...['checkVisibility', 'requestClose', 'moveBefore', 'setHTMLUnsafe', 'getHTML', 'showPicker'],
  ...['togglePopover', 'userActivation', 'DecompressionStream'],
  ...['CompressionStream', 'CloseWatcher', 'CSSScopeRule', 'highlights', 'ariaNotify'],
]
const OF_OBJECTS = {
  URL: ['parse', 'canParse'],
  AbortSignal: ['timeout', 'any'],
  Response: ['json'],
  Promise: ['try'],
  RegExp: ['escape'],
  Error: ['isError'],
  Iterator: ['from', 'concat'],
}

/** In the text of a script; minifiers keep these names. */
export const NEWER_SCRIPT = new RegExp(
  [
    `\\b(?:${METHODS.join('|')})\\b`,
    ...Object.entries(OF_OBJECTS).map(([name, own]) => `\\b${name}\\.(?:${own.join('|')})\\b`),
    '\\(\\?<[=!]',
    '\\bstatic\\s*\\{',
  ].join('|'),
  'g',
)

/** ESLint's rule `browsers/baseline`. */
export const baseline = {
  /** @param {import('eslint').Rule.RuleContext} context */
  create: (context) => ({
    /** @param {import('estree').MemberExpression & import('eslint').Rule.NodeParentExtension} node */
    MemberExpression(node) {
      const text = context.sourceCode.getText(node)
      const name = context.sourceCode.getText(node.property)
      const [found] =
        text.match(NEWER_SCRIPT)?.filter((one) => one.split('.').at(-1) === name) ?? []
      if (found) context.report({ node, message: `${found} is newer than Safari 15.6.` })
    },
    /** @param {import('estree').Literal & import('eslint').Rule.NodeParentExtension} node */
    Literal(node) {
      if ('regex' in node && /\(\?<[=!]/.test(node.regex.pattern))
        context.report({ node, message: 'A lookbehind is newer than Safari 15.6.' })
    },
  }),
}
