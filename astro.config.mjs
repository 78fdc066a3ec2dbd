import cloudflare from '@astrojs/cloudflare'
import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import { brand } from './site/brand.ts'
import { browserContract } from './site/build/browser-contract.ts'
import { deployedOrigin, guardedDeployment } from './site/build/guarded-deployment.ts'
import { lateScript } from './site/build/late-script.ts'
import { preloadModules } from './site/build/preload-modules.ts'
import { policy } from './site/build/policy.ts'

/**
 * Every page is prebuilt HTML although the output is 'server': with 'static' the adapter drops the Worker
 * (docs/decisions/0002-static-pages-and-worker-from-one-build.md).
 */
const prerenderEveryPage = {
  name: 'prerender-every-page',
  hooks: {
    /** @param {{ route: { prerender: boolean } }} options */
    'astro:route:setup': ({ route }) => {
      route.prerender = true
    },
  },
}

/** `client:used` and `client:seen` for the islands of public pages. */
const clientDirectives = {
  name: 'client-directives',
  hooks: {
    /** @param {{ addClientDirective: (directive: { name: string, entrypoint: string }) => void }} options */
    'astro:config:setup': ({ addClientDirective }) => {
      addClientDirective({ name: 'used', entrypoint: './site/scripts/when-used.ts' })
      addClientDirective({ name: 'seen', entrypoint: './site/scripts/when-seen.ts' })
    },
  },
}

/**
 * Where `npm run dev` looks for packages to bundle, besides pages and their scripts. A package found later, with a page
 * open, would bring a second React.
 */
const packagesInDev = { entries: ['src/islands/**/*.tsx'] }

/** What most pages share comes in four files, and no page of an account loads more than eight; the bar alone needs no React. */
const scripts = {
  // Instead of a stand-in for Node's `process`, which the adapter puts on top of every script.
  banner: '',
  codeSplitting: {
    // A chunk also holds what its files import, so what others import too comes first.
    groups: [
      // What the scripts of all pages use.
      {
        name: 'every',
        test: /vite\/preload-helper|\/scripts\/(announcement|footer)\b|\/src\/lib\/(early-input|own-system|stillness)\b/,
        priority: 4,
      },
      // The shell around a page, without what loads when it is used, and the words, which rules of forms use as well.
      {
        name: 'shell',
        test: /node_modules\/nanostores\/|\/src\/contract\/(messages|limits|catalogue|errors)\.ts$|\/src\/page\/(?!notice-panel|save-theme|shown-theme)/,
        priority: 3,
      },
      // The rules of forms, which load with the forms (site/build/browser-contract.ts).
      {
        name: 'rules',
        test: /node_modules\/zod\/|\/src\/contract\/((zod|text|password|answer-shape)\.ts$|.*\?schemas)/,
        priority: 2,
      },
      {
        name: 'react',
        test: /node_modules\/(react|react-dom|scheduler|@nanostores\/react|@astrojs\/react)\//,
        priority: 1,
      },
      // What pages of an account share.
      {
        name: 'app',
        test: /\/src\/(ui\/(?!TextField|TextArea|PasswordField|Checkbox|AcceptedTerms|ConfirmButton|Redirecting)|lib\/(dates|numbers|save-file)|stores\/(action|failure-text|pages|purchases|resource|step-up)\.|islands\/(dashboard\/store|download\/|factors\/StepUp\.|resource\/|session\/|settings\/Identity|subscription\/(plan-words|PurchaseTable)|usage\/modes))/,
      },
      // Fields and what checks them, without the rules.
      {
        name: 'form',
        test: /\/src\/(stores\/form|islands\/form\/use-form|ui\/(TextField|TextArea|PasswordField|Checkbox))\./,
      },
    ],
  },
}

/** Wrangler's own variable names the environment of a build to deploy; without it the build is for this machine. */
const origin = deployedOrigin(process.env.CLOUDFLARE_ENV)

export default defineConfig({
  site: origin ?? brand.websites.production,
  srcDir: './site',
  output: 'server',
  scopedStyleStrategy: 'class',
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'always' },
  adapter: cloudflare({ prerenderEnvironment: 'node', imageService: 'compile' }),
  session: false,
  redirects: { '/settings': { status: 302, destination: '/profile?tab=preferences' } },
  integrations: [
    react(),
    prerenderEveryPage,
    clientDirectives,
    preloadModules(),
    lateScript(),
    policy({ isLocal: origin === null }),
    guardedDeployment(origin),
  ],
  vite: {
    plugins: [browserContract()],
    environments: {
      client: { optimizeDeps: packagesInDev, build: { rolldownOptions: { output: scripts } } },
      // Astro leaves the Worker's code as it is; an isolate reads all of it before its first answer.
      ssr: { build: { rolldownOptions: { output: { minify: true } } } },
    },
  },
  devToolbar: { enabled: false },
})
