import type { Plugin } from 'vite'

/**
 * The browser's script files, in order of precedence: a file also contains what its modules import, so shared modules come
 * first. No page of an account loads more than eight files. A module that is named here is loaded with its whole file, so
 * each file holds what the same pages need.
 */
const FILES: Readonly<Record<string, RegExp>> = {
  // Modules that the scripts of all pages use.
  every:
    /vite\/preload-helper|\/scripts\/(announcement|footer)\b|\/src\/lib\/(browser-storage|early-input|own-system|stillness)\b/,
  // The shell around a page, without the parts that load on use. The bar alone needs no React.
  shell:
    /node_modules\/nanostores\/|\/src\/(contract\/(limits|catalogue|errors))\.ts$|\/src\/contract\/account\.ts\?updatePreferences|\/src\/page\/(?!notice-panel|shown-theme)/,
  // The rules of forms, which load with the forms (browser-contract.ts).
  rules:
    /node_modules\/zod\/|\/src\/contract\/((zod|text|password|answer-shape)\.ts$|.*\?schemas|messages\.ts\?(FIELD|VALUE))/,
  react: /node_modules\/(react|react-dom|scheduler|@nanostores\/react|@astrojs\/react)\//,
  // What most islands share.
  app: /\/src\/(ui\/(AcceptedTerms|Badge|Button|ErrorBoundary|Fact|Loading|Notice|on-demand|Panel|Segments|take-focus)\.|lib\/(dates|numbers|save-file)\.|stores\/(action|failure-text|resource)\.|islands\/(resource\/Loaded|session\/use-user)\.|contract\/currency\.ts\?CURRENCIES)/,
  // Fields and what checks them, without the rules.
  form: /\/src\/(stores\/form|islands\/form\/use-form|ui\/(Checkbox|Field|PasswordField|SelectField|TextArea|TextField))\./,
  // The use of tokens, on the dashboard and in their history.
  use: /\/src\/(islands\/(session\/use-tokens-left|usage\/modes)|contract\/usage\.ts\?(usage|USAGE))/,
  // Plans and purchases, on the dashboard, in the settings and after a purchase.
  bought:
    /\/src\/(islands\/(download\/|subscription\/(plan-words|PurchaseTable))|stores\/last-purchases|contract\/(receipt\.ts\?purchases|subscription\.ts\?current))/,
  // The outcome of an action, and what a purchase and its result ask the server.
  outcome:
    /\/src\/(ui\/(Picture|Redirecting|StatusCard)\.|contract\/purchase\.ts\?(paymentStatus|activateOrderPublic))/,
  // The confirmation of a call by a second step.
  factor: /\/src\/contract\/factor\.ts\?(FACTOR|factors)/,
  // The pages, each with the modules that it shares with others.
  Dashboard:
    /\/src\/(islands\/dashboard\/(?!TokenPurchase|TermsNotice)|stores\/verification-mail\.)/,
  Plans: /\/src\/(islands\/plans\/(?!PlaceDialog|SignInDialog)|stores\/purchase-state\.)/,
  purchase:
    /\/src\/(stores\/(checkout|plan-purchase|purchase-flow)\.|api\/razorpay-checkout\.|lib\/in-app-browser\.)/,
  Settings:
    /\/src\/(islands\/(factors\/StepUp|settings\/(Identity|ProfileTab|Settings))|stores\/step-up|ui\/(ConfirmButton|Dialog|Row))\./,
}

/** Cuts the browser's scripts into files, and writes short texts into the modules that show them (browser-contract.ts). */
export function browserChunks(): Plugin {
  const groups = Object.entries(FILES).map(([name, test]) => ({ name, test }))
  return {
    name: 'browser-chunks',
    apply: 'build',
    configEnvironment: (name) =>
      name === 'client'
        ? {
            build: {
              rolldownOptions: {
                // Otherwise an island that shares a file comes in two files: that one, and one that only exports the island.
                preserveEntrySignatures: 'allow-extension',
                optimization: { inlineConst: { mode: 'all' } },
                output: {
                  // Replaces a stand-in for Node's `process`, which the adapter puts on top of every script.
                  banner: '',
                  codeSplitting: { groups },
                },
              },
            },
          }
        : undefined,
  }
}
