import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler'
import { descriptionFile, FOLDER, type WorkerDescription } from './worker-description.ts'

/**
 * Writes down, beside the built Worker, what its wrangler.json means to Miniflare. Wrangler takes more than a second to
 * load, which every start of the Worker would wait for.
 *
 * @param folder where the build is: client/ and server/
 */
export function describeWorker(folder: string): void {
  const server = join(folder, 'server')
  const configPath = join(server, 'wrangler.json')
  // Of the environment it was built for; by an empty name, or Wrangler takes that of CLOUDFLARE_ENV.
  const config = unstable_readConfig({ config: configPath, env: '' })
  // Secrets are looked for beside userConfigPath; ours are handed in, so it must find none.
  const { workerOptions, main } = unstable_getMiniflareWorkerOptions({
    ...config,
    configPath,
    userConfigPath: configPath,
  })
  const description: WorkerDescription = {
    name: config.name ?? 'worker',
    main: main ?? join(server, 'entry.mjs'),
    crons: config.triggers.crons ?? [],
    vars: config.vars,
    workerOptions,
  }
  writeFileSync(descriptionFile(folder), JSON.stringify(description).replaceAll(folder, FOLDER))
}
