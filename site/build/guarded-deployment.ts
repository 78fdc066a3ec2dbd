import { readdirSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import type { AstroIntegration } from 'astro'
import { z } from 'astro/zod'
import { brand } from '../brand.ts'

/** Relative to the root of the repository. From elsewhere Wrangler does not find the file, and deploys nothing. */
const COMMAND = 'node tools/build/refuse-local-build.mjs dist/client'

/** In tests, replaces brand.ts and the releases, which the owner fills in. */
interface Facts {
  readonly websites: Readonly<Record<string, string>>
  readonly [fact: string]: unknown
}

/** The brand, and the releases of the app by their files. */
function ownersFacts(): Facts {
  const folder = new URL('../content/releases/', import.meta.url)
  const releases = Object.fromEntries(
    readdirSync(folder).map((name) => {
      const content: unknown = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
      return [name, content]
    }),
  )
  return { ...brand, releases }
}

/**
 * The origin (`https://` and a host) of an environment of wrangler.toml, or null without an environment: a build for
 * this machine. Throws for an unknown environment, and while brand.ts or a release has facts to fill in for it.
 */
export function deployedOrigin(
  environment: string | undefined,
  facts: Facts = ownersFacts(),
): string | null {
  if (!environment) return null
  const origin = facts.websites[environment]
  if (origin === undefined) {
    const known = Object.keys(facts.websites).join(', ')
    throw new Error(`There is no environment "${environment}". Known: ${known}.`)
  }
  const names = unfilledFacts(environment, facts)
  if (names.length === 0) return origin
  throw new Error(
    `Fill in site/brand.ts and site/content/releases before a build for ${environment}: ${names.join(', ')}.`,
  )
}

/** What staging needs: its host, and addresses that send and receive its mail. */
const STAGING_FACTS = ['websites.staging', 'mailFrom', 'operatorEmail']

/** The facts of brand.ts and the releases that are to be filled in before this environment is built. */
export function unfilledFacts(environment: string, facts: Facts = ownersFacts()): string[] {
  const names = unfilledNames(facts)
  return environment === 'production' ? names : names.filter((name) => STAGING_FACTS.includes(name))
}

/** A blank, `example` as a part of an address or alone, ten zeros. Not "for example", nor the colour #000000. */
const PLACEHOLDER = /^\s*$|(^|[./@=])example($|[/.>])|0{5} ?0{5}/i

/** The names of texts that are blank or placeholders: "seller.phone", "supportEmail". */
export function unfilledNames(facts: object, prefix = ''): string[] {
  return Object.entries(facts).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null)
      return unfilledNames(value, `${prefix}${name}.`)
    const isUnfilled = typeof value === 'string' && PLACEHOLDER.test(value)
    return isUnfilled ? [prefix + name] : []
  })
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
