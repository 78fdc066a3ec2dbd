/**
 * What only makes schemas has no effects, so a page need not carry the calls it does not make. Everything that
 * src/contract calls while it is loaded stands here; what is missing costs bytes, not correctness.
 */
const MAKERS_OF_SCHEMAS = [
  'z',
  'defineEndpoint',
  'success',
  'text',
  'email',
  'bounded',
  'written',
  'tooLong',
  'Checkout',
  'OrderInput',
  'Triple',
  'PaymentState',
  'Preferences',
  'loginEndpoint',
]

/** One file compresses better than the four that its parts would be, and nothing uses them apart. */
const REACT = {
  name: 'react',
  test: /node_modules\/(react|react-dom|scheduler|@nanostores\/react)\//,
}

/**
 * What scripts of pages without React share: they must not ask for the file of those that have it. Only parts that do
 * nothing by themselves: all that is in a file runs on every page that asks for it.
 */
const PAGE = {
  name: 'page',
  priority: 2,
  test: /site\/scripts\/when-|src\/lib\/press-again|vite\/preload-helper/,
}

/**
 * What three pages or more use of the app, as one file: apart it would be 20 files a page, many below 1 KB, found one
 * after the other. A page carries the rules of the files that it may ask for, so parts with many rules of their own
 * stay apart (docs/decisions/0047-shared-parts-are-one-file.md).
 */
const APP = {
  name: 'app',
  test: /\/src\/(lib|api|stores|contract|islands\/(form|session)|ui\/(Button|ErrorBoundary|Field|Notice|SelectField|TextArea|TextField))\b/,
  minShareCount: 3,
}

const PRELOAD_HELPER = /vite\/preload-helper/

const CONTRACT = /src\/contract\/[\w-]+\.ts$/
/** What an endpoint is for, in words: the API's description needs it, a browser does not. */
const SUMMARY = /\bsummary:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),/g

/** Settings of the browser's bundles that keep account pages under 110 KB (docs/decisions/0033-lean-bundles.md). */
export const leanBundles = {
  name: 'lean-bundles',
  /** @param {string} environment */
  configEnvironment: (environment) =>
    environment === 'client'
      ? {
          build: {
            // Lazy parts share what the page has loaded: lists of what to preload cost more than they bring.
            modulePreload: /** @type {const} */ (false),
            rollupOptions: {
              treeshake: { manualPureFunctions: MAKERS_OF_SCHEMAS },
              // The adapter puts a stand-in for Node's process on top of every file; browsers' files name no process.
              output: { banner: '', codeSplitting: { groups: [REACT, PAGE, APP] } },
            },
          },
        }
      : undefined,
  enforce: /** @type {const} */ ('pre'),
  /** @param {{ name: string }} environment */
  applyToEnvironment: (environment) => environment.name === 'client',
  load: {
    filter: { id: PRELOAD_HELPER },
    // It fetches styles and lists of files before a lazy import. Styles are in the pages, and there are no lists.
    handler: () => 'export const __vitePreload = (load) => load()\n',
  },
  transform: {
    filter: { id: CONTRACT },
    /** @param {string} code */
    handler: (code) => ({ code: code.replace(SUMMARY, ''), map: null }),
  },
}
