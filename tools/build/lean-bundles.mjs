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
            // Chunks are small and share what the page has loaded: lists of what to preload cost more than they bring.
            modulePreload: /** @type {const} */ (false),
            rollupOptions: {
              treeshake: { manualPureFunctions: MAKERS_OF_SCHEMAS },
              // The adapter puts a stand-in for Node's process on top of every file; browsers' files name no process.
              output: { banner: '', codeSplitting: { groups: [REACT] } },
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
