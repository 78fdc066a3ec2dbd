import { parseArgs } from 'node:util'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { benchActs } from './acts/acts.ts'
import { benchCrowd } from './crowd/crowd.ts'
import { benchEndpoints } from './endpoints/endpoints.ts'
import { type Findings, writeFigures } from './findings.ts'
import { benchGrowth } from './growth/growth.ts'
import { describeRun, loadOf } from './machine.ts'
import { benchPages } from './pages/pages.ts'
import { printRows } from './table.ts'

/** A part of the run, as it ended. */
interface Ended extends Findings {
  minutes: number
  /** How busy the machine was before it. */
  load: number
}

/**
 * `npm run bench`: all parts one after another, then one table; the figures go to `.data/bench/bench.json`, which is
 * complete after each part. `--runs` is that of pages, `--rounds` that of endpoints, `--users` the sizes that growth is
 * measured at (10000,1000000) and `--seconds` how long the load takes. A part that fails or breaks a budget keeps no other
 * from running. Throws a LaunchError that names all of what is broken.
 */
export async function benchAll(args: string[]): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      runs: { ...text, default: '3' },
      rounds: { ...text, default: '5' },
      users: { ...text, default: '10000,1000000' },
      seconds: { ...text, default: '120' },
    },
  })
  const parts: Record<string, () => Promise<Findings>> = {
    pages: () => benchPages([`--runs=${values.runs}`]),
    acts: () => benchActs([]),
    endpoints: () => benchEndpoints([`--rounds=${values.rounds}`]),
    ...Object.fromEntries(
      values.users.split(',').map((users) => [`growth ${users}`, () => benchGrowth(Number(users))]),
    ),
    load: () => benchCrowd([`--seconds=${values.seconds}`]),
  }
  const run = describeRun()
  const ended: Record<string, Ended> = {}
  for (const [name, part] of Object.entries(parts)) {
    console.log(`\n${name} …`)
    ended[name] = await end(part)
    writeFigures('bench', { ...run, parts: ended })
  }
  print(ended)
  const broken = Object.entries(ended).flatMap(([name, part]) =>
    part.broken.map((what) => `${name}: ${what}`),
  )
  if (broken.length > 0) throw new LaunchError(`\nBudgets broken:\n  ${broken.join('\n  ')}`)
  console.log('\nEvery budget holds.')
}

async function end(part: () => Promise<Findings>): Promise<Ended> {
  const load = loadOf()
  const began = performance.now()
  const findings = await part().catch((error: unknown) => {
    console.error(error)
    return { figures: {}, lines: [], broken: [`it ended early: ${String(error)}`] }
  })
  return { minutes: (performance.now() - began) / 60_000, load, ...findings }
}

function print(ended: Record<string, Ended>): void {
  const { at, commit, cores, model, load } = describeRun()
  console.log(`\n${at} ${commit}, ${cores} cores (${model}), load now ${load}\n`)
  printRows(
    ['part', 'minutes', 'load', 'broken', 'figures'],
    Object.entries(ended).flatMap(([name, { minutes, load: before, lines, broken }]) =>
      (lines.length > 0 ? lines : ['none']).map((line, nth) =>
        nth === 0
          ? [name, minutes.toFixed(1), String(before), String(broken.length), line]
          : ['', '', '', '', line],
      ),
    ),
    [0, 4],
  )
}
