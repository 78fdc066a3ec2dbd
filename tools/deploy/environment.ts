import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { unstable_readConfig, type Unstable_Config } from 'wrangler'
import { brand } from '../../site/brand.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { root } from '../launcher/settings.ts'
import { SECRETS, type Secrets } from './check-config.ts'

/** Staging or production: where the site is served, and what its Worker gets. */
export interface Environment {
  name: string
  /** `https://` and the host. */
  origin: string
  /** Its part of wrangler.toml. */
  declared: Unstable_Config
  secrets: Secrets
}

/** The file of an environment's secrets, relative to the root. Git does not see it. */
export const secretsFile = (environment: string) => `.secrets/${environment}.env`

/** The environment of this name, with its secrets. Throws a LaunchError when there is none. */
export function readEnvironment(name: string): Environment {
  const config = join(root, 'wrangler.toml')
  const known = unstable_readConfig({ config, env: '' }).definedEnvironments ?? []
  const website = Object.entries(brand.websites).find(([environment]) => environment === name)
  if (website === undefined || !known.includes(name)) {
    throw new LaunchError(`There is no environment "${name}". Known: ${known.join(', ')}.`)
  }
  const declared = unstable_readConfig({ config, env: name })
  return { name, origin: website[1], declared, secrets: readSecrets(name) }
}

/** The secrets of the environments besides this one, as far as they are in files here. */
export function otherEnvironments(name: string): { name: string; secrets: Secrets }[] {
  return Object.keys(brand.websites).flatMap((other) => {
    const file = join(root, secretsFile(other))
    if (other === name || !existsSync(file)) return []
    return [{ name: other, secrets: readSecretsFile(file) }]
  })
}

/** From the environment's file, or without one (in a hosted workflow) from our own environment. */
function readSecrets(environment: string): Secrets {
  const file = join(root, secretsFile(environment))
  return existsSync(file) ? readSecretsFile(file) : takeFrom(process.env, SECRETS)
}

/** The values of a file of secrets, which only its owner can read from then on. */
export function readSecretsFile(file: string): Secrets {
  if (statSync(file).mode & 0o077) chmodSync(file, 0o600)
  return parseEnv(readFileSync(file, 'utf8'))
}

/** Runs tests or a build, which are the code of many, without the keys that only a deployment itself needs. */
export async function withoutKeys(work: () => Promise<void>): Promise<void> {
  const keys = takeFrom(process.env, ['CLOUDFLARE_API_TOKEN', 'BACKUP_KEY'])
  await work().finally(() => Object.assign(process.env, keys))
}

/** Removes variables from our environment, so that the tests and builds that we start cannot use them. */
function takeFrom(env: NodeJS.ProcessEnv, names: readonly string[]): Secrets {
  const found = names.flatMap((name) => (env[name] ? [[name, env[name]]] : []))
  for (const name of names) Reflect.deleteProperty(env, name)
  return Object.fromEntries(found)
}
