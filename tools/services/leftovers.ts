import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isAlive, listProcesses, signalGroup } from './process-list.ts'
import { waitUntil } from './wait-until.ts'

/** What a running copy writes down about itself, so that the next start can clear what a kill -9 left. */
export interface RunRecord {
  launcher: number
  address: string
  groups: Record<string, number>
}

export function readRunRecord(file: string): RunRecord | undefined {
  if (!existsSync(file)) return undefined
  try {
    const { launcher, address, groups }: Partial<RunRecord> = JSON.parse(readFileSync(file, 'utf8'))
    return launcher && address && groups ? { launcher, address, groups } : undefined
  } catch {
    return undefined
  }
}

/** Written beside and renamed: a reader never sees half of it. */
export function writeRunRecord(file: string, record: RunRecord): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.part`, JSON.stringify(record))
  renameSync(`${file}.part`, file)
}

/** True when the launcher of that record still runs: the number alone could be somebody else's by now. */
export function isStillRunning(record: RunRecord): boolean {
  if (!isAlive(record.launcher)) return false
  const launcher = listProcesses().find(({ pid }) => pid === record.launcher)
  return launcher?.command.includes('launch.mjs') ?? false
}

/**
 * Ends exactly the process groups of the record, and of those only the ones whose command names this checkout
 * or its data folder. Resolves when they are gone.
 */
export async function endLeftovers(record: RunRecord, places: string[]): Promise<string[]> {
  const groups = Object.entries(record.groups).filter(([, group]) => ours(group, places).length > 0)
  for (const [, group] of groups) signalGroup(group, 'SIGKILL')
  const areGone = () =>
    Promise.resolve(groups.every(([, group]) => ours(group, places).length === 0))
  await waitUntil(areGone, { timeoutMs: 3_000 })
  return groups.map(([name]) => name)
}

function ours(group: number, places: string[]) {
  return listProcesses().filter(
    (entry) => entry.group === group && places.some((place) => entry.command.includes(place)),
  )
}
