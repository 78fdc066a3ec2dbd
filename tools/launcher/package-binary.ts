import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The script behind `npx NAME`, run without npx, which would cost half a second. */
export function packageBinary(root: string, packageName: string, name = packageName): string {
  const manifest = createRequire(join(root, 'package.json')).resolve(`${packageName}/package.json`)
  const { bin }: { bin: string | Record<string, string> } = JSON.parse(
    readFileSync(manifest, 'utf8'),
  )
  const path = typeof bin === 'string' ? bin : bin[name]
  if (!path) throw new Error(`${packageName} has no command ${name}`)
  return join(dirname(manifest), path)
}
