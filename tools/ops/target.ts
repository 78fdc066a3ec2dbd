import { join } from 'node:path'
import { unstable_readConfig } from 'wrangler'
import type { Context } from '../../edge-api/domain/context.ts'
import type { Environment } from '../deploy/environment.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { readSecrets } from '../launcher/dev-vars.ts'
import { readSettings, root, workerVars } from '../launcher/settings.ts'
import type { DatabaseAddress } from '../services/migrate.ts'
import { withLocalDatabase } from './local-database.ts'
import { operatorContext } from './operator-context.ts'

/** The environment and database that a command works on. */
export interface Target {
  /** Null for the local database, or the one of DATABASE_URL. */
  environment: Environment | null
}

/** Runs work with the context of a job of the Worker. Throws a LaunchError when something is missing. */
export async function withContext(
  target: Target,
  work: (ctx: Context) => Promise<void>,
): Promise<void> {
  const run = ({ url, authToken = '' }: DatabaseAddress) =>
    work(contextWith(target, { DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken }))
  const database = addressOf(target)
  if (database === null) {
    return withLocalDatabase(readSettings(process.env).dataDir, (url) => run({ url }))
  }
  if (target.environment !== null) return run(database)
  throw new LaunchError('Add --env NAME: this needs the keys of an environment.')
}

/** The context of a target's Worker with some variables replaced. It opens nothing. */
export function contextWith(
  { environment }: Target,
  replaced: Readonly<Record<string, string>>,
  devVars = join(root, '.dev.vars'),
): Context {
  if (environment !== null) {
    const { declared, secrets, origin } = environment
    const vars = { ENVIRONMENT: String(declared.vars['ENVIRONMENT']), PUBLIC_ORIGIN: origin }
    return operatorContext(declared, { ...secrets, ...vars, ...replaced })
  }
  const declared = unstable_readConfig({ config: join(root, 'wrangler.toml'), env: '' })
  const secrets = { ...readSecrets(devVars), ...replaced }
  const vars = workerVars(readSettings(process.env), secrets.RAZORPAY_KEY_ID)
  return operatorContext(declared, { ...secrets, ...vars, ...replaced })
}

/** The database of a target; null for the local one. Throws a LaunchError when the environment names none. */
export function addressOf({ environment }: Target): DatabaseAddress | null {
  const secrets = environment === null ? process.env : environment.secrets
  const { DATABASE_URL: url, DATABASE_AUTH_TOKEN: authToken } = secrets
  if (url) return { url, authToken }
  if (environment === null) return null
  throw new LaunchError(`DATABASE_URL is missing for ${environment.name}.`)
}
