export interface Component {
  name: string
  version: string
  /** SPDX identifiers or expressions. */
  licences: readonly string[]
}

/** Licences that ask for no more than a notice. */
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Python-2.0',
]

/** They cover changes to the package itself. We change none, and none of these is sent to visitors. */
const OF_TOOLS = ['LGPL-3.0-or-later', 'MPL-2.0']

const ACCEPTED = new Set([...PERMISSIVE, ...OF_TOOLS])

/** The licence of a package as one SPDX expression; `none` when it names none. */
export function licenceOf({ licences }: Component): string {
  return licences.filter(Boolean).join(' AND ') || 'none'
}

/** The packages whose licence is not accepted, each with its licence. Of alternatives one is enough. */
export function refusedLicences(components: readonly Component[]): string[] {
  return components
    .filter((component) => !isAccepted(licenceOf(component)))
    .map((component) => `${component.name}@${component.version}: ${licenceOf(component)}`)
}

/** An expression that mixes AND and OR is refused unless every licence in it is accepted: a person has to read it. */
function isAccepted(expression: string): boolean {
  const licences = expression.replaceAll(/[()]/g, '').split(/ AND | OR /)
  const accepted = licences.filter((licence) => ACCEPTED.has(licence.trim()))
  const isChoice = / OR /.test(expression) && !/ AND /.test(expression)
  return isChoice ? accepted.length > 0 : accepted.length === licences.length
}
