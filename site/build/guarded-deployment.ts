import { readFile, writeFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'
import { z } from 'astro/zod'
import { brand } from '../brand.ts'

/** Found from the top of the tree; run from anywhere else, Wrangler finds no such file and deploys nothing either. */
const COMMAND = 'node tools/build/refuse-local-build.mjs dist/client'

/**
 * Where a build for this environment of wrangler.toml is served (`https://` and a host), or null without an environment:
 * a build for this machine. Throws for an unknown environment.
 */
export function deployedOrigin(environment: string | undefined): string | null {
  if (!environment) return null
  const found = Object.entries(brand.websites).find(([name]) => name === environment)
  if (found !== undefined) return found[1]
  const known = Object.keys(brand.websites).join(', ')
  throw new Error(`There is no environment "${environment}". Known: ${known}.`)
}

/**
 * Tells Wrangler where the Worker is served, and has it look at the built pages before it sends them, so that a build for
 * this machine, whose pages let the payment emulator in, cannot be deployed. Here and not in wrangler.toml, whose
 * `[build]` is not taken into the build.
 *
 * @param origin `https://` and a host, or null for a build that is not to be deployed
 */
export function guardedDeployment(origin: string | null): AstroIntegration {
  return {
    name: 'guarded-deployment',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const file = new URL('../server/wrangler.json', dir)
        const config = Config.parse(JSON.parse(await readFile(file, 'utf8')))
        const place = origin === null ? {} : served(origin, config.vars)
        await writeFile(file, JSON.stringify({ ...config, ...place, build: { command: COMMAND } }))
      },
    },
  }
}

const Config = z.looseObject({ vars: z.record(z.string(), z.unknown()) })

function served(origin: string, vars: Record<string, unknown>) {
  return {
    routes: [{ pattern: new URL(origin).host, custom_domain: true }],
    vars: { ...vars, PUBLIC_ORIGIN: origin },
  }
}
