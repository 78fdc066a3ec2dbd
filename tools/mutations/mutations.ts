import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { root } from '../launcher/settings.ts'
import { equivalents } from './equivalents.ts'
import { type Mutant, mutantOf } from './mutant.ts'
import { changesOfCode } from './mutate-code.ts'
import { changesOfSql } from './mutate-sql.ts'
import { openTrial } from './trial.ts'

const GUARDS = 'edge-api/db/migrations/0001_guards.sql'
const MUTATED = [
  'edge-api/domain/purchase/**/*.ts',
  'edge-api/domain/tokens/*.ts',
  'edge-api/gateways/razorpay/*.ts',
  GUARDS,
]

/**
 * `npm run test:mutations`: changes the code of money one spot at a time and runs the domain tests. A change that no
 * test notices, and that `equivalents.ts` does not explain, makes it fail.
 *
 * @param words parts of file names, `file:line`, and `--part=2/4` for the second of four parts
 */
export async function mutations(words: string[]): Promise<void> {
  const mutants = chosen(allMutants(), words)
  const survivors = await tryAll(mutants)
  console.log(`mutants: ${mutants.length - survivors.length} noticed, ${survivors.length} not`)
  if (survivors.length > 0) process.exitCode = 1
}

async function tryAll(mutants: readonly Mutant[]): Promise<Mutant[]> {
  const trial = await openTrial(
    readFileSync(join(root, GUARDS), 'utf8'),
    mutants.map(({ file }) => file),
  )
  const survivors: Mutant[] = []
  try {
    for (const [index, mutant] of mutants.entries()) {
      const killer = await trial.killer(mutant)
      if (killer === null) survivors.push(mutant)
      const verdict = killer === null ? 'NOT NOTICED' : `noticed by ${killer}`
      console.log(`${index + 1}/${mutants.length} ${nameOf(mutant)}: ${verdict}`)
    }
  } finally {
    await trial.close()
  }
  return survivors
}

function nameOf({ file, line, from, to }: Mutant): string {
  return `${file}:${line} [${from}] -> [${to}]`
}

/** Every mutant but the equivalent ones. Throws when the list explains one that does not exist. */
function allMutants(): Mutant[] {
  const files = globSync(MUTATED, { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  const all = files.toSorted().flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    const changes = file.endsWith('.sql') ? changesOfSql(source) : changesOfCode(source)
    return changes.map((change) => mutantOf(file, source, change))
  })
  const unknown = equivalents.filter((one) => !all.some((mutant) => isSame(one, mutant)))
  if (unknown.length > 0) {
    const names = unknown.map(({ file, from, to }) => `${file} [${from}] -> [${to}]`)
    throw new LaunchError(`equivalents.ts explains what is not there:\n${names.join('\n')}`)
  }
  return all.filter((mutant) => !equivalents.some((one) => isSame(one, mutant)))
}

type Named = Pick<Mutant, 'file' | 'at' | 'from' | 'to'>

function isSame(a: Named, b: Named): boolean {
  return a.file === b.file && a.at === b.at && a.from === b.from && a.to === b.to
}

function chosen(mutants: Mutant[], words: readonly string[]): Mutant[] {
  const part = words.find((word) => word.startsWith('--part='))
  const [, number = '1', of = '1'] = /^--part=(\d+)\/(\d+)$/.exec(part ?? '--part=1/1') ?? []
  const names = words.filter((word) => !word.startsWith('--'))
  return mutants
    .filter(
      ({ file, line }) =>
        names.length === 0 || names.some((name) => `${file}:${line}:`.includes(name)),
    )
    .filter((_, index) => index % Number(of) === Number(number) - 1)
}
