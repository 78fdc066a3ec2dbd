import type { Plugin } from 'vite'

/** What the pages use of a package's file, in its place: code that every page would carry for nothing. */
const USED: readonly { file: RegExp; code: string }[] = [
  // 900 bytes: it also loads styles, which are inline here, and stands in for `modulepreload` in old browsers.
  { file: /vite\/preload-helper/, code: `export const __vitePreload = ${preload.toString()}` },
  // `useStore` takes it for its option `keys`, which no island gives.
  {
    file: /\/nanostores\/listen-keys\//,
    code: 'export const listenKeys = undefined, subscribeKeys = undefined',
  },
  {
    // It also hydrates slots, results of Astro's actions, and an island a second time; ours have none of them.
    file: /\/@astrojs\/react\/dist\/client\.js/,
    code: `
      import { createElement, startTransition } from 'react'
      import { createRoot, hydrateRoot } from 'react-dom/client'
      export default (island) => (Component, props, _slots, { client }) => {
        const element = createElement(Component, props)
        const identifierPrefix = island.getAttribute('prefix')
        startTransition(() => {
          if (client === 'only') createRoot(island).render(element)
          else hydrateRoot(island, element, { identifierPrefix })
        })
      }`,
  },
]

/** Replaces those files in the browser's build. */
export function leanPackages(): Plugin {
  return {
    name: 'lean-packages',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    load: {
      filter: { id: USED.map(({ file }) => file) },
      handler: (id) => USED.find(({ file }) => file.test(id))?.code,
    },
  }
}

/** Runs in the page: asks for what a script imports together with the script, and not one after the other. */
function preload(load: () => Promise<unknown>, files: readonly string[] = []) {
  for (const file of files) {
    const href = `/${file}`
    if (document.querySelector(`link[href="${href}"]`) !== null) continue
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', href }),
    )
  }
  return load()
}
