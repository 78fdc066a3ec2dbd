import { unfilledFacts } from '../../site/build/guarded-deployment.ts'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { configFaults, sharedFaults } from './check-config.ts'
import { type Environment, otherEnvironments, secretsFile } from './environment.ts'

/**
 * `npm run ops -- check-config --env NAME`, and a step of each deployment: says that the configuration is whole. Throws a
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
