import { join } from 'node:path'
import { rmSync } from 'node:fs'
import {
  endLeftovers,
  isStillRunning,
  readRunRecord,
  writeRunRecord,
} from '../services/leftovers.ts'
import { LaunchError } from '../services/launch-error.ts'
import { isPortFree } from '../services/ports.ts'
import { startReaper } from '../services/reaper.ts'
import type { ServiceSpec } from '../services/service.ts'
import { waitUntil } from '../services/wait-until.ts'
import { supervise, type Supervised } from '../services/supervise.ts'
import { prepareDataFolder } from './data-folder.ts'
import type { Settings } from './settings.ts'

/** All that one running copy has started, and the one way to end it. */
export interface Stack {
  add: (spec: ServiceSpec) => Promise<Supervised>
  stop: () => Promise<void>
}

/** Clears what an earlier copy left behind, makes sure that the ports are free and starts with nothing running. */
export async function openStack(
  settings: Settings,
  address: string,
  say: (line: string) => void,
): Promise<Stack> {
  prepareDataFolder(settings.dataDir)
  const recordFile = join(settings.dataDir, 'run.json')
  await clearEarlierRun(settings, recordFile, say)
  await requireFreePorts(settings)
  const reaper = startReaper()
  const groups: Record<string, number> = {}
  const record = () => {
    writeRunRecord(recordFile, { launcher: process.pid, address, groups })
  }
  record()
  const running: Supervised[] = []
  let isStopping = false
  const watchers = {
    onSpawn: (name: string, group: number) => {
      groups[name] = group
      reaper.watch(group)
      record()
    },
    onGone: (group: number) => {
      reaper.forget(group)
    },
    say,
  }
  async function stop(): Promise<void> {
    isStopping = true
    // Last started, first ended: the site must not meet a database that is gone.
    for (const service of running.splice(0).reverse()) await service.stop()
    reaper.close()
    rmSync(recordFile, { force: true })
  }
  return {
    add: async (spec) => {
      const service = await supervise(spec, watchers)
      if (isStopping) await service.stop()
      else running.push(service)
      return service
    },
    stop,
  }
}

async function clearEarlierRun(
  { root, dataDir }: Settings,
  recordFile: string,
  say: (line: string) => void,
): Promise<void> {
  const earlier = readRunRecord(recordFile)
  if (!earlier) return
  if (isStillRunning(earlier)) {
    throw new LaunchError(
      `Already running at ${earlier.address} (process ${earlier.launcher}). Stop it there with Ctrl-C, ` +
        'or start a second copy with another PORT, DB_PORT, RAZORPAY_PORT and DATA_DIR.',
    )
  }
  const ended = await endLeftovers(earlier, [`${root}/`, `${dataDir}/`])
  if (ended.length > 0) say('An earlier start was cut off; what it left running has been ended.')
}

async function requireFreePorts({ port, dbPort, razorpayPort }: Settings): Promise<void> {
  const wanted = { PORT: port, DB_PORT: dbPort, RAZORPAY_PORT: razorpayPort }
  for (const [name, number] of Object.entries(wanted)) {
    // The kernel may need a moment to take a port from a program that was just ended.
    if (await waitUntil(() => isPortFree(number), { timeoutMs: 1_500 })) continue
    throw new LaunchError(
      `Port ${number} is taken by another program. End that, or choose another: ${name}=${number + 100} npm start`,
    )
  }
}
