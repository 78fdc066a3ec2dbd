import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { ensureBuilt } from '../launcher/build.ts'
import { root } from '../launcher/settings.ts'
import { benchCrowd } from './crowd/crowd.ts'
import { benchEndpoints } from './endpoints/endpoints.ts'
import { benchFaults } from './faults/faults.ts'
import { type Findings, writeFigures } from './findings.ts'
import { benchGrowth } from './growth/growth.ts'
import { benchPages } from './pages/pages.ts'

/** The parts of the benchmark. Each takes what follows its word on the command line. */
const PARTS: Record<string, (args: string[]) => Promise<Findings>> = {
  pages: benchPages,
  endpoints: benchEndpoints,
  seed: ([count = '10000']) => benchGrowth(Number(count)),
  load: benchCrowd,
}

/**
 * `npm run bench -- pages / /careers`, `-- endpoints`, `-- seed 10000`, `-- load`: one part, whose figures it writes to
 * `.data/bench/PART.json`. Without a part's word, pages. `npm run bench -- faults`: the stack under faults. Throws a
 * LaunchError that names each broken budget.
 */
export async function bench(args: string[]): Promise<void> {
  const at = args.findIndex((arg) => !arg.startsWith('-'))
  const word = args[at] ?? ''
  if (word === 'faults') return benchFaults(args.toSpliced(at, 1))
  await ensureBuilt(root)
  const part = PARTS[word]
  const name = part === undefined ? 'pages' : word
  const run = part ?? benchPages
  const { figures, broken } = await run(part === undefined ? args : args.toSpliced(at, 1))
  writeFigures(name, { at: new Date().toISOString(), ...figures, broken })
  if (broken.length > 0) throw new LaunchError(`\nBudgets broken:\n  ${broken.join('\n  ')}`)
  console.log('\nEvery budget holds.')
}
