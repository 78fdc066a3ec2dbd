import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler'

/** Stands for the folder of the build, which may be moved with the project. */
export const FOLDER = '<folder>'

/** A built Worker as Miniflare wants it, but for its modules and secrets. */
export interface WorkerDescription {
  name: string
  /** The module that workerd is to start with. */
  main: string
  crons: string[]
  vars: ReturnType<typeof unstable_readConfig>['vars']
  workerOptions: ReturnType<typeof unstable_getMiniflareWorkerOptions>['workerOptions']
}

export const descriptionFile = (folder: string) => join(folder, 'miniflare.json')

/** What describeWorker() wrote about the build in `folder`. */
export function readDescription(folder: string): WorkerDescription {
  const text = readFileSync(descriptionFile(folder), 'utf8').replaceAll(FOLDER, folder)
  const description: WorkerDescription = JSON.parse(text)
  return description
}
