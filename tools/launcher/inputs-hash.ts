import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, globSync } from 'node:fs'
import { join } from 'node:path'

const folders = ['site', 'src', 'edge-api', 'public', 'tools/build']
const files = ['astro.config.mjs', 'wrangler.toml', 'tsconfig.json', 'package-lock.json']

/** One hash over all that a build reads, so that an unchanged tree is not built again. Tests are left out. */
export function inputsHash(root: string, env: NodeJS.ProcessEnv): string {
  const hash = createHash('sha256').update(`${process.version} ${env.PUBLIC_ORIGIN ?? ''}`)
  for (const path of inputs(root)) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function inputs(root: string): string[] {
  const found = folders.flatMap((folder) => globSync(`${folder}/**/*`, { cwd: root }))
  return [...found, ...files]
    .filter((path) => !/\.test\.tsx?$/.test(path) && existsSync(join(root, path)))
    .filter((path) => statSync(join(root, path)).isFile())
    .sort()
}
