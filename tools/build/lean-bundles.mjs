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
  'Checkout',
  'OrderInput',
  'Triple',
  'PaymentState',
  'Preferences',
  'loginEndpoint',
]

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
            rollupOptions: { treeshake: { manualPureFunctions: MAKERS_OF_SCHEMAS } },
          },
        }
      : undefined,
}
