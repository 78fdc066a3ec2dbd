import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { LaunchError } from '../launcher/bootstrap/launch-error.mjs'
import { root } from '../launcher/settings.ts'
import { equivalents } from './equivalents.ts'
import { GUARDS, HELD } from './held.ts'
import { type Mutant, mutantOf } from './mutant.ts'
import { changesOfCode } from './mutate-code.ts'
import { changesOfSql } from './mutate-sql.ts'
import { openTrial } from './trial.ts'
import { typeChecker } from './type-check.ts'

const MUTATED = [
  'edge-api/domain/purchase/**/*.ts',
  'edge-api/domain/tokens/*.ts',
  'edge-api/gateways/razorpay/*.ts',
  GUARDS,
]

/** The tests that may notice a mutant of a file that is not held. */
const TESTS = [
  'edge-api/domain/purchase/*.test.ts',
  'edge-api/domain/tokens/*.test.ts',
  'edge-api/domain/account/plan.test.ts',
  'edge-api/gateways/razorpay/*.test.ts',
]
/** These try the same in many orders. They take seconds, and notice nothing that the others do not. */
const SLOW = /interleavings|any-order|property|offline-queue|flood/

/** What an earlier run found, one mutant to a line. */
const FOUND = join(root, 'test-results/mutants.txt')

/**
 * `npm run test:mutations`: changes the code of money one spot at a time and runs the tests about money. A change that no
 * test notices, and that `equivalents.ts` does not explain, makes it fail.
 *
 * @param words parts of file names, `file:line`, `--held` for the files that must be without survivors, `--part=2/4` for the
 *   second of four parts, and `--resume` to leave out what earlier runs found noticed
 */
export async function mutations(words: string[]): Promise<void> {
  const earlier = words.includes('--resume') && existsSync(FOUND) ? readFileSync(FOUND, 'utf8') : ''
  const noticed = new Set(earlier.split('\n').map((line) => line.split(': noticed by ')[0]))
  const mutants = chosen(allMutants(), words).filter((one) => !noticed.has(nameOf(one)))
  mkdirSync(dirname(FOUND), { recursive: true })
  writeFileSync(FOUND, earlier)
  const survivors = await survivorsOf(mutants, (line) => {
    appendFileSync(FOUND, `${line}\n`)
    console.log(line)
  })
  console.log(`mutants: ${mutants.length - survivors.length} noticed, ${survivors.length} not`)
  if (survivors.length > 0) process.exitCode = 1
}

/** So few tests have to be loaded for them. */
const NEIGHBOURS = 250

/**
 * Tries neighbours among the mutants of held files, from one of them on, one at least and none after `endsAt` (of
 * `performance.now()`). Returns how many it tried, and the names of those not noticed.
 */
export async function tryHeld(from: number, endsAt: number) {
  const held = chosen(allMutants(), ['--held'])
  const begin = from % held.length
  const mutants = [...held.slice(begin), ...held.slice(0, begin)].slice(0, NEIGHBOURS)
  let tried = 0
  const count = () => {
    tried += 1
  }
  return { survivors: await survivorsOf(mutants, count, endsAt), tried }
}

type Report = (line: string) => void

/** Those that no test notices. Mutants of held files meet the tests of these files, the others all. */
async function survivorsOf(
  mutants: readonly Mutant[],
  report: Report,
  endsAt = Infinity,
): Promise<string[]> {
  const [held, others] = [mutants.filter(isHeld), mutants.filter((one) => !isHeld(one))]
  const ofHeld = [...new Set(held.flatMap(({ file }) => HELD[file] ?? []))]
  const all = globSync(TESTS, { cwd: root }).filter((file) => !SLOW.test(file))
  return [
    ...(await tryWith(ofHeld, held, report, endsAt)),
    ...(await tryWith(all, others, report, endsAt)),
  ]
}

async function tryWith(
  testFiles: readonly string[],
  mutants: readonly Mutant[],
  report: Report,
  endsAt: number,
) {
  if (mutants.length === 0) return []
  const breaksTypes = typeChecker([...new Set(mutants.map(({ file }) => file))])
  const trial = await openTrial(readFileSync(join(root, GUARDS), 'utf8'), mutants, testFiles)
  const survivors: string[] = []
  try {
    for (const mutant of mutants) {
      const failed = await trial.killer(mutant)
      const killer = failed ?? (breaksTypes(mutant) ? 'the compiler' : null)
      if (killer === null) survivors.push(nameOf(mutant))
      report(`${nameOf(mutant)}: ${killer === null ? 'NOT NOTICED' : `noticed by ${killer}`}`)
      if (performance.now() > endsAt) break
    }
  } finally {
    await trial.close()
  }
  return survivors
}

const isHeld = ({ file }: Mutant) => file in HELD

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
  const areHeld = words.includes('--held')
  return mutants
    .filter((mutant) => !areHeld || isHeld(mutant))
    .filter(
      ({ file, line }) =>
        names.length === 0 || names.some((name) => `${file}:${line}:`.includes(name)),
    )
    .filter((_, index) => index % Number(of) === Number(number) - 1)
}
