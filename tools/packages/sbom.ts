import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { askNpm } from '../launcher/bootstrap/packages.mjs'
import { root } from '../launcher/settings.ts'
import { licenceOf, refusedLicences, type Component } from './licences.ts'

/** As much of CycloneDX as we read. */
const Sbom = z.object({
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      licenses: z
        .array(
          z.union([
            z.object({ expression: z.string() }),
            z.object({
              license: z.object({ id: z.string().optional(), name: z.string().optional() }),
            }),
          ]),
        )
        .default([]),
    }),
  ),
})

/**
 * `npm run sbom`: writes `sbom/sbom.cdx.json` (CycloneDX, all packages of package-lock.json on every platform) and
 * `sbom/licences.md`. Throws a LaunchError that names the packages whose licence we do not accept.
 */
export async function sbom(): Promise<void> {
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
  const { ending, output, errors } = await askNpm(args, root)
  if (ending !== 0) throw new LaunchError(`npm could not write the SBOM: ${errors.trim()}`)
  const components = Sbom.parse(JSON.parse(output)).components.map(
    ({ name, version, licenses }): Component => ({
      name,
      version,
      licences: licenses.map((one) =>
        'expression' in one ? one.expression : (one.license.id ?? one.license.name ?? ''),
      ),
    }),
  )
  const folder = join(root, 'sbom')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'sbom.cdx.json'), output)
  writeFileSync(join(folder, 'licences.md'), licenceList(components))
  const refused = refusedLicences(components)
  if (refused.length > 0) {
    throw new LaunchError(
      `These packages have a licence that tools/packages/licences.ts does not accept:\n  ${refused.join('\n  ')}`,
    )
  }
  console.log(`${components.length} packages, every licence accepted. Written: sbom/`)
}

function licenceList(components: readonly Component[]): string {
  const rows = components
    .map((component) => `| ${component.name} | ${component.version} | ${licenceOf(component)} |`)
    .toSorted()
  return ['| Package | Version | Licence |', '| --- | --- | --- |', ...rows, ''].join('\n')
}
