import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { ensureBuilt } from '../launcher/build.ts'
import { root } from '../launcher/settings.ts'
import { benchActs } from './acts/acts.ts'
import { benchAll } from './whole-run.ts'
import { benchCrowd } from './crowd/crowd.ts'
import { benchEndpoints } from './endpoints/endpoints.ts'
import { benchFaults } from './faults/faults.ts'
import { type Findings, writeFigures } from './findings.ts'
import { benchGrowth } from './growth/growth.ts'
import { describeRun } from './machine.ts'
import { benchPages } from './pages/pages.ts'
import { benchReplica } from './replica.ts'

/** The parts of the benchmark. Each takes what follows its word on the command line. */
const PARTS: Record<string, (args: string[]) => Promise<Findings>> = {
  pages: benchPages,
  acts: benchActs,
  endpoints: benchEndpoints,
  replica: benchReplica,
  seed: ([count = '10000']) => benchGrowth(Number(count)),
  load: benchCrowd,
}

/**
 * `npm run bench`: everything (see benchAll). With the word of a part that part alone, whose figures it writes to
 * `.data/bench/PART.json`; with paths, the pages at these. `npm run bench -- faults`: the stack under faults. Throws a
 * LaunchError that names each broken budget.
 */
export async function bench(args: string[]): Promise<void> {
  const at = args.findIndex((arg) => !arg.startsWith('-'))
  const word = args[at] ?? ''
  if (word === 'faults') return benchFaults(args.toSpliced(at, 1))
  await ensureBuilt(root)
  if (at === -1) return benchAll(args)
  if (word.startsWith('/')) return alone('pages', benchPages, args)
  const part = PARTS[word]
  if (part === undefined) {
    const known = [...Object.keys(PARTS), 'faults'].join(', ')
    throw new LaunchError(`There is no part "${word}". Known: ${known}, and paths of pages.`)
  }
  await alone(word, part, args.toSpliced(at, 1))
}

async function alone(
  name: string,
  part: (args: string[]) => Promise<Findings>,
  args: string[],
): Promise<void> {
  const run = describeRun()
  const { figures, broken } = await part(args)
  writeFigures(name, { ...run, ...figures, broken })
  if (broken.length > 0) throw new LaunchError(`\nBudgets broken:\n  ${broken.join('\n  ')}`)
  console.log('\nEvery budget holds.')
}
