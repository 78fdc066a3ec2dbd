import { readFileSync } from 'node:fs'
import cloudflare from '@astrojs/cloudflare'
import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import { brand } from './site/brand.ts'
import { contentPolicy } from './site/build/content-policy.ts'
import { deployedOrigin, guardedDeployment } from './site/build/guarded-deployment.ts'
import { lateScripts } from './site/build/late-scripts.ts'

/**
 * Every page is prebuilt HTML although the output is 'server': with 'static' the adapter drops the Worker
 * (docs/architecture.md).
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

/**
 * Where `npm run dev` looks for packages to bundle, besides pages and their scripts. A package found later, with a page
 * open, would bring a second React.
 */
const packagesInDev = { entries: ['src/features/**/*.tsx'] }

/** @type {{ browserslist: string[] }} */
const { browserslist } = JSON.parse(readFileSync('package.json', 'utf8'))

/** The oldest browsers that pages work in, as Vite names them: `safari15.6`. */
const browsers = browserslist.map((name) => name.replace('ios_saf', 'ios').replace(' ', ''))

/** What pages share comes in five files and not in thirty. A group also takes what its modules import. */
const sharedFiles = [
  { name: 'reader', test: /vite\/preload-helper|\/scripts\/popovers|\/lib\/(needs-session|theme)/ },
  { name: 'landing', test: /\/src\/lib\/(rotation|stillness)|\/site\/scripts\/sweeps/ },
  {
    name: 'react',
    test: /\/node_modules\/(react|react-dom|scheduler|@nanostores|@astrojs\/react)\//,
  },
  {
    name: 'session',
    test: /\/src\/(lib\/(ago|dates)|features\/(session\/(session|start|theme-sync)|notices\/|toasts\/))/,
  },
  { name: 'ui', test: /\/src\/(ui|lib)\// },
]

/** Wrangler's own variable names the environment of a build to deploy; without it the build is for this machine. */
const origin = deployedOrigin(process.env.CLOUDFLARE_ENV)

export default defineConfig({
  site: origin ?? brand.websites.production,
  srcDir: './site',
  output: 'server',
  scopedStyleStrategy: 'class',
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'always' },
  adapter: cloudflare({
    ...{ prerenderEnvironment: 'node', imageService: 'compile' },
    // `npm run dev` names its own.
    configPath: process.env.DEV_CONFIG,
  }),
  session: false,
  redirects: { '/settings': { status: 302, destination: '/profile?tab=preferences' } },
  integrations: [
    react(),
    prerenderEveryPage,
    lateScripts,
    contentPolicy({ isLocal: origin === null }),
    guardedDeployment(origin),
  ],
  vite: {
    // Styles of pages are built with the Worker, whose scripts no browser reads.
    build: { cssTarget: browsers },
    environments: {
      client: {
        optimizeDeps: packagesInDev,
        build: {
          target: browsers,
          // The adapter's banner is for the Worker.
          rolldownOptions: { output: { banner: '', codeSplitting: { groups: sharedFiles } } },
        },
      },
      // Astro leaves the Worker's code as it is; an isolate reads all of it before its first answer.
      ssr: { build: { rolldownOptions: { output: { minify: true } } } },
    },
  },
  devToolbar: { enabled: false },
})
