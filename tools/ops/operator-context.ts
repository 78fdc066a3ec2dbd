import type { Unstable_Config } from 'wrangler'
import { ConfigError, readConfig } from '../../edge-api/config.ts'
import type { Context } from '../../edge-api/domain/context.ts'
import { buildServices } from '../../edge-api/services.ts'
import { bindings } from '../deploy/check-config.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'

const OPERATOR = { ipAddress: 'operator', ipPrefix: 'operator', device: 'operator' }

/**
 * The context of a command, as a job of the Worker has it. Work that would follow an answer is not done: the Worker's own
 * jobs send the mail. Throws a LaunchError that names what is missing.
 *
 * @param declared the environment in wrangler.toml
 * @param vars the variables of the Worker
 */
export function operatorContext(
  declared: Unstable_Config,
  vars: Readonly<Record<string, string | undefined>>,
): Context {
  try {
    const { newContext } = buildServices(readConfig({ ...bindings(declared), ...vars }), [])
    return newContext({ visitor: OPERATOR, now: Date.now(), purpose: 'payment' }).ctx
  } catch (error) {
    throw error instanceof ConfigError ? new LaunchError(error.message) : error
  }
}
