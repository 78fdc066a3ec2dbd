import { readFile, writeFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'
import { z } from 'astro/zod'
import { brand } from '../brand.ts'

/** Relative to the root of the repository. From elsewhere Wrangler does not find the file, and deploys nothing. */
const COMMAND = 'node tools/build/refuse-local-build.mjs dist/client'

/**
 * The origin (`https://` and a host) of an environment of wrangler.toml, or null without an environment: a build for
 * this machine. Throws for an unknown environment.
 */
export function deployedOrigin(environment: string | undefined): string | null {
  if (!environment) return null
  const found = Object.entries(brand.websites).find(([name]) => name === environment)
  if (found !== undefined) return found[1]
  const known = Object.keys(brand.websites).join(', ')
  throw new Error(`There is no environment "${environment}". Known: ${known}.`)
}

/**
 * Writes the Worker's origin into Wrangler's configuration, and a command that checks the built pages before they are
 * deployed: Wrangler must not deploy a local build, whose pages allow the payment emulator. wrangler.toml cannot do
 * this, because the build ignores its `[build]`.
 *
 * @param origin `https://` and a host, or null for a local build
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
