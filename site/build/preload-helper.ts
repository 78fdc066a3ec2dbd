import type { Plugin } from 'vite'

/**
 * Replaces the function through which Vite loads a script on demand, 900 bytes that every page carries: it also loads
 * styles, which are inline here, and stands in for `modulepreload` in old browsers.
 */
export function preloadHelper(): Plugin {
  return {
    name: 'preload-helper',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    load: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => `export const __vitePreload = ${preload.toString()}`,
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
