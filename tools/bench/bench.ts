import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { ensureBuilt } from '../launcher/build.ts'
import { benchCalls } from './calls.ts'
import { benchGrowth } from './growth.ts'
import { benchPages } from './pages.ts'

/** Each prints its figures and returns what breaks a budget. */
const PARTS: Record<string, (args: string[]) => Promise<string[]>> = {
  pages: benchPages,
  calls: benchCalls,
  seed: benchGrowth,
}

/** `npm run bench -- PART …`: one part, or all of them. Throws a LaunchError that names each broken budget. */
export async function bench([name, ...args]: string[]): Promise<void> {
  const part = PARTS[name ?? '']
  if (name !== undefined && part === undefined) {
    throw new LaunchError(`There is no part "${name}". Known: ${Object.keys(PARTS).join(', ')}.`)
  }
  await ensureBuilt()
  const broken: string[] = []
  for (const run of part ? [part] : Object.values(PARTS)) broken.push(...(await run(args)))
  if (broken.length > 0) throw new LaunchError(`\nBudgets broken:\n  ${broken.join('\n  ')}`)
  console.log('\nEvery budget holds.')
}
