import { setTimeout as pause } from 'node:timers/promises'
import { unfilledFacts } from '../../site/build/guarded-deployment.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { configFaults, sharedFaults } from './check-config.ts'
import { runTool } from '../launcher/run-tool.ts'
import { contextWith } from '../ops/target.ts'
import { checkOutside, dnsRecords, type Finding, type Outside } from './check-outside.ts'
import { type Environment, otherEnvironments, secretsFile } from './environment.ts'

/**
 * All that a deployment needs: the configuration, and the services around the Worker. Checks that need a complete
 * configuration are skipped without one.
 */
export async function lookAtEverything(environment: Environment): Promise<Finding[]> {
  const about = 'configuration'
  try {
    const says = checkEnvironment(environment)
    return [{ about, state: 'fine', says }, ...(await outsideOf(environment))]
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error
    return [
      { about, state: 'stop', says: error.message },
      ...(await checkOutside(null, environment, OUTSIDE)),
    ]
  }
}

/** The services around the Worker of an environment. Its configuration must be complete (`checkEnvironment`). */
export function outsideOf(environment: Environment): Promise<Finding[]> {
  return checkOutside(contextWith({ environment }, {}), environment, OUTSIDE)
}

const OUTSIDE: Outside = {
  records: dnsRecords,
  whoami: () => runTool('wrangler', ['whoami']),
  pause,
}

/**
 * A step of each deployment, and a line of `npm run ops -- check-config`: says that the configuration is complete. Throws a
 * LaunchError that names all that is missing or unusable, and no value.
 */
export function checkEnvironment({ declared, secrets, origin, name }: Environment): string {
  const faults = [
    ...configFaults(declared, secrets, origin),
    ...otherEnvironments(name).flatMap((other) => sharedFaults(secrets, other)),
  ]
  const unfilled = unfilledFacts(name)
  if (faults.length + unfilled.length === 0) {
    return `${Object.keys(secrets).length} secrets, all usable`
  }
  const lines = [
    ...(faults.length > 0 ? [`In ${secretsFile(name)}: ${faults.join('; ')}.`] : []),
    ...(unfilled.length > 0
      ? [`To be filled in, in site/brand.ts and site/content/releases: ${unfilled.join(', ')}.`]
      : []),
  ]
  throw new LaunchError(`${lines.join(' ')} See docs/runbook.md.`)
}
