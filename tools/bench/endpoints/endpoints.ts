import { parseArgs } from 'node:util'
import {
  type Service,
  startEmulator,
  startSqld,
  startWorker,
} from '../../../tests/harness/services.ts'
import { root } from '../../launcher/settings.ts'
import { workerStartBytes } from '../../launcher/sizes.ts'
import { workerdOf } from '../cpu.ts'
import type { Findings } from '../findings.ts'
import { printRows } from '../table.ts'
import { makeCallers } from './callers.ts'
import { casesNamed, type Side } from './cases.ts'
import { measureFar, startFarDatabase } from './far.ts'
import { measure, type Place, type Row } from './measure.ts'
import { startCost } from './start-cost.ts'
import { buildYardsticks, makeBareTables } from './yardsticks.ts'

/**
 * `npm run bench -- endpoints --rounds=5 me current`: calls beside the least that Hono and the libSQL client need for such
 * an answer, in turn, so that a busy machine slows all. Nothing can be broken: ratios depend on the machine.
 */
export async function benchEndpoints(args: string[]): Promise<Findings> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { rounds: { type: 'string', default: '5' } },
  })
  const rounds = Number(values.rounds)
  const cases = casesNamed(positionals)
  const yardsticks = await buildYardsticks()
  const sqld = await startSqld()
  const emulator = await startEmulator({ webhookUrl: 'http://127.0.0.1:9/none' })
  const setup = { databaseUrl: sqld.url, emulatorUrl: emulator.url }
  const far = await startFarDatabase(sqld.port)
  const workers: Service[] = []
  const open = async (options: Partial<Parameters<typeof startWorker>[0]>): Promise<Place> => {
    const worker = await startWorker({ ...setup, ...options })
    workers.push(worker)
    return { url: worker.url, workerd: workerdOf(worker) }
  }
  try {
    await makeBareTables(sqld.url)
    const places: Record<Side, Place> = { ours: await open({}), bare: await open(yardsticks) }
    const callers = await makeCallers(places, sqld.url)
    const rows = await measure(cases, { places, callers, rounds, database: sqld.pid() })
    const farPlaces: Record<Side, Place> = {
      ours: await open({ databaseUrl: far.url }),
      bare: await open({ ...yardsticks, databaseUrl: far.url }),
    }
    const distances = await measureFar(cases, farPlaces, callers)
    print(rows, distances)
    const start = {
      bytes: workerStartBytes(root),
      ours: await startCost({ ...setup }),
      bare: await startCost({ ...setup, ...yardsticks }),
    }
    console.log(
      `\nstart of the Worker: ${start.bytes} bytes (gzip), ${start.ours.toFixed(2)} ms of CPU until its first answer; a bare Hono: ${start.bare.toFixed(2)} ms`,
    )
    return {
      figures: { rounds, rows, distances, start },
      lines: Object.entries(rows).flatMap(lineOf),
      broken: [],
    }
  } finally {
    for (const worker of workers) await worker.stop()
    far.close()
    yardsticks.remove()
    await Promise.all([emulator.stop(), sqld.stop()])
  }
}

function lineOf([name, { perSecond, p50, ratio, beside }]: [string, Row]): string[] {
  if (ratio === null) return []
  const other = beside === null ? '' : `, ${beside.ratio.toFixed(2)} of ${beside.name}`
  return [
    `${name}: ${perSecond.toFixed(0)} requests/s, p50 ${p50.toFixed(1)} ms, ${ratio.toFixed(2)} of its yardstick${other}`,
  ]
}

const TITLES = [
  ...['call', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms', 'CPU db', 'trips', 'bytes'],
  ...['of yardstick', 'goal', 'by CPU'],
]

function print(rows: Record<string, Row>, distances: Record<string, { trips: number }>): void {
  console.log('')
  printRows(
    TITLES,
    Object.entries(rows).map(([name, row]) => [
      name,
      row.perSecond.toFixed(0),
      row.p50.toFixed(1),
      row.p99.toFixed(1),
      row.cpu.toFixed(2),
      row.databaseCpu.toFixed(2),
      String(row.trips ?? distances[name]?.trips ?? ''),
      String(row.bytes),
      row.ratio?.toFixed(2) ?? '',
      row.goal?.toFixed(2) ?? '',
      row.cpuRatio?.toFixed(2) ?? '',
    ]),
  )
  for (const [name, { beside }] of Object.entries(rows)) {
    if (beside === null) continue
    console.log(
      `\n${name} answers ${beside.ratio.toFixed(2)} times as many requests as better-auth's ${beside.name}, for ${(1 / beside.cpuRatio).toFixed(2)} of its CPU`,
    )
  }
}
