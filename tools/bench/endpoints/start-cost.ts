import { startWorker } from '../../../tests/harness/services.ts'
import { cpuSeconds, workerdOf } from '../cpu.ts'

/** How often a Worker is started to measure what its start costs. */
const STARTS = 5

/** The CPU that a fresh workerd takes for its first answer, less that of its second, in milliseconds. */
export async function startCost(setup: Parameters<typeof startWorker>[0]): Promise<number> {
  let spent = 0
  for (let start = 0; start < STARTS; start += 1) {
    const worker = await startWorker(setup)
    const workerd = workerdOf(worker)
    const costs: number[] = []
    for (let call = 0; call < 2; call += 1) {
      const before = cpuSeconds(workerd)
      // Neither Worker knows it, so both answer by themselves.
      await (await fetch(`${worker.url}/api/nothing`)).text()
      costs.push(cpuSeconds(workerd) - before)
    }
    const [first = 0, second = 0] = costs
    spent += first - second
    await worker.stop()
  }
  return (spent / STARTS) * 1_000
}
