import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { LaunchError } from '../../launcher/bootstrap/launch-error.mjs'
import { ensureBuilt } from '../../launcher/build.ts'
import { root } from '../../launcher/settings.ts'
import { fillDisk, hangProvider, killPart, mountSmallDisk, stopDatabase } from './cases.ts'
import { prepareLoad, signInAtOnce, type Outcome } from './load.ts'
import { startProbe, type Liveness } from './probe.ts'
import { startStack } from './stack.ts'

/** The longest time that a liveness check may take, in milliseconds. */
const LIVE_MAX_MS = 1_000

const HEADINGS =
  'case                      acknowledged  failed   reads  lost  twice  longest call  live: longest  absent'

/**
 * `npm run bench -- faults`: the whole stack under load and faults. Prints what was acknowledged and what is lost of it,
 * and how long `/api/health/live` took. `--only=sign-ins` runs the cases with this in their name. Throws a LaunchError when something is lost or a liveness answer took a second.
 */
export async function benchFaults(args: string[]): Promise<void> {
  const seconds = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      load: { ...seconds, default: '30' },
      stop: { ...seconds, default: '20' },
      disk: { ...seconds, default: '10' },
      hang: { ...seconds, default: '30' },
      only: { type: 'string', default: '' },
    },
  })
  await ensureBuilt(root)
  const broken: string[] = []
  const [busy = 0] = loadavg()
  console.log(
    `Processes that wanted a core in the last minute: ${busy.toFixed(1)}, cores: ${availableParallelism()}`,
  )
  console.log(HEADINGS)
  const record = (name: string, outcome: Outcome, liveness: Liveness) => {
    console.log(rowOf(name, outcome, liveness))
    broken.push(...faultsOf(name, outcome, liveness))
  }
  const isWanted = (name: string) => name.includes(values.only)
  await faultsOfParts({ record, isWanted }, values)
  if (isWanted('full disk')) await faultsOfDisk(record, Number(values.disk))
  if (broken.length > 0) throw new LaunchError(`\nDoes not hold:\n  ${broken.join('\n  ')}`)
  console.log('\nNothing is lost, and every liveness answer took less than a second.')
}

type Record = (name: string, outcome: Outcome, liveness: Liveness) => void

async function faultsOfParts(
  { record, isWanted }: { record: Record; isWanted: (name: string) => boolean },
  { load, stop, hang }: { load: string; stop: string; hang: string },
): Promise<void> {
  const stack = await startStack()
  const probe = startProbe(stack.url)
  try {
    const light = await prepareLoad(stack, { readers: 8, writers: 16 })
    const cases: [string, () => Promise<Outcome>][] = [
      [
        `64 read, 16 write, ${load} s`,
        async () => {
          const heavy = await prepareLoad(stack, { readers: 64, writers: 16 })
          return heavy.runDuring(() => pause(Number(load) * 1_000))
        },
      ],
      ...[20, 60].map((count): [string, () => Promise<Outcome>] => [
        `${count} sign-ins at once`,
        () => signInAtOnce(stack, count),
      ]),
      ...(['database', 'Worker', 'host'] as const).map((part): [string, () => Promise<Outcome>] => [
        `kill -9 of the ${part}`,
        () => light.runDuring(() => killPart(part, stack)),
      ]),
      [
        `database stopped, ${stop} s`,
        () => light.runDuring(() => stopDatabase(stack, Number(stop))),
      ],
      [`provider hangs, ${hang} s`, () => hangProvider(stack, Number(hang))],
    ]
    for (const [name, run] of cases) {
      if (!isWanted(name)) continue
      probe.take()
      record(name, await run(), probe.take())
    }
  } finally {
    await probe.stop()
    await stack.stop()
  }
}

async function faultsOfDisk(record: Record, seconds: number): Promise<void> {
  const disk = mountSmallDisk()
  if (disk === null) {
    console.log('full disk                 skipped: mounting a small disk needs root on Linux')
    return
  }
  const stack = await startStack(join(disk.folder, 'database'))
  const probe = startProbe(stack.url)
  try {
    const light = await prepareLoad(stack, { readers: 8, writers: 16 })
    probe.take()
    const outcome = await light.runDuring(() => fillDisk(disk.folder, seconds))
    record(`full disk, ${seconds} s`, outcome, probe.take())
  } finally {
    await probe.stop()
    await stack.stop()
    disk.unmount()
  }
}

function rowOf(name: string, outcome: Outcome, { longestMs, absentMs }: Liveness): string {
  const { acknowledged, failed, reads, lost, doubled } = outcome
  const ms = (value: number) => `${Math.round(value)} ms`
  return [
    name.padEnd(26),
    String(acknowledged).padStart(12),
    String(failed).padStart(8),
    String(reads).padStart(8),
    String(lost).padStart(6),
    String(doubled).padStart(7),
    ms(outcome.longestMs).padStart(14),
    ms(longestMs).padStart(15),
    ms(absentMs).padStart(8),
  ].join('')
}

function faultsOf(name: string, outcome: Outcome, { longestMs }: Liveness): string[] {
  return [
    ...(outcome.lost > 0 ? [`${name}: ${outcome.lost} acknowledged and lost`] : []),
    ...(outcome.doubled > 0 ? [`${name}: ${outcome.doubled} carried out twice`] : []),
    ...(longestMs >= LIVE_MAX_MS
      ? [`${name}: /api/health/live took ${Math.round(longestMs)} ms`]
      : []),
  ]
}
