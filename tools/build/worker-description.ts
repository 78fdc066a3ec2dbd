import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler'

/** A built Worker as Miniflare wants it, but for its modules and secrets. */
interface WorkerDescription {
  name: string
  /** The module that workerd is to start with. */
  main: string
  vars: ReturnType<typeof unstable_readConfig>['vars']
  workerOptions: ReturnType<typeof unstable_getMiniflareWorkerOptions>['workerOptions']
}

/** Stands for the folder of the build, which may be moved with the project. */
const FOLDER = '<folder>'

const descriptionFile = (folder: string) => join(folder, 'miniflare.json')

/**
 * Writes Miniflare's reading of wrangler.json beside the built Worker. Otherwise every start of the Worker would wait
 * for Wrangler, which takes more than a second to load.
 *
 * @param folder where the build is: client/ and server/
 */
export async function describeWorker(folder: string): Promise<void> {
  const wrangler = await import('wrangler')
  const server = join(folder, 'server')
  const configPath = join(server, 'wrangler.json')
  // An empty name reads the environment of the build; without it Wrangler takes CLOUDFLARE_ENV.
  const config = wrangler.unstable_readConfig({ config: configPath, env: '' })
  // Wrangler reads secrets beside userConfigPath. We pass ours, so it must find none there.
  const { workerOptions, main } = wrangler.unstable_getMiniflareWorkerOptions({
    ...config,
    configPath,
    userConfigPath: configPath,
  })
  const description: WorkerDescription = {
    name: config.name ?? 'worker',
    main: main ?? join(server, 'entry.mjs'),
    vars: config.vars,
    workerOptions,
  }
  writeFileSync(descriptionFile(folder), JSON.stringify(description).replaceAll(folder, FOLDER))
}

/** The description that describeWorker() wrote for the build in `folder`. */
export function readDescription(folder: string): WorkerDescription {
  const text = readFileSync(descriptionFile(folder), 'utf8').replaceAll(FOLDER, folder)
  const description: WorkerDescription = JSON.parse(text)
  return description
}
