import { readFile, writeFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'
import { z } from 'astro/zod'

/** Found from the top of the tree; run from anywhere else, Wrangler finds no such file and deploys nothing either. */
const COMMAND = 'node tools/build/refuse-local-build.mjs dist/client'

/**
 * Has Wrangler look at the built pages before it sends them, so that a build for this machine, whose pages let the
 * payment emulator in, cannot be deployed. Here and not in wrangler.toml, whose `[build]` is not taken into the build.
 */
export function guardedDeployment(): AstroIntegration {
  return {
    name: 'guarded-deployment',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const file = new URL('../server/wrangler.json', dir)
        const config = z.looseObject({}).parse(JSON.parse(await readFile(file, 'utf8')))
        await writeFile(file, JSON.stringify({ ...config, build: { command: COMMAND } }))
      },
    },
  }
}
