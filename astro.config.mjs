import cloudflare from '@astrojs/cloudflare'
import react from '@astrojs/react'
import { defineConfig } from 'astro/config'
import { brand } from './site/brand.ts'
import { artwork } from './site/build/artwork.ts'
import { guardedDeployment } from './site/build/guarded-deployment.ts'
import { lateScript } from './site/build/late-script.ts'
import { leanPages } from './site/build/lean-pages.ts'
import { painted } from './site/build/painted.ts'
import { policy } from './site/build/policy.ts'
import { leanBundles } from './tools/build/lean-bundles.mjs'
import { zodForBrowsers } from './tools/build/zod-for-browsers.mjs'

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

/** A build for the world names its origin; without one it is for this machine. */
const { PUBLIC_ORIGIN } = process.env
if (PUBLIC_ORIGIN !== undefined && !/^https:\/\/[^/\s]+\/?$/.test(PUBLIC_ORIGIN)) {
  throw new Error(`PUBLIC_ORIGIN has to be https:// and a host alone, not "${PUBLIC_ORIGIN}".`)
}

export default defineConfig({
  site: PUBLIC_ORIGIN ?? brand.website,
  srcDir: './site',
  output: 'server',
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'always' },
  adapter: cloudflare({ prerenderEnvironment: 'node', imageService: 'compile' }),
  session: false,
  integrations: [
    react(),
    painted(),
    prerenderEveryPage,
    artwork(),
    lateScript(),
    leanPages(),
    policy({ isLocal: PUBLIC_ORIGIN === undefined }),
    guardedDeployment(),
  ],
  vite: { plugins: [zodForBrowsers, leanBundles] },
  devToolbar: { enabled: false },
})
