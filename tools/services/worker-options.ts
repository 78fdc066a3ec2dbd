import { globSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, type MiniflareOptions } from 'miniflare'
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler'

export interface WorkerOptions {
  /** The folder astro build wrote: client/ and server/. */
  folder: string
  port: number
  /** Bindings of text, on top of those in wrangler.toml. */
  vars: Record<string, string>
  onLog: (level: string, message: string) => void
}

export interface BuiltWorker {
  miniflare: MiniflareOptions
  crons: string[]
}

/** The built Worker as Miniflare wants it, its bindings read from the wrangler.json that was built with it. */
export function readBuiltWorker({ folder, port, vars, onLog }: WorkerOptions): BuiltWorker {
  const server = join(folder, 'server')
  const configPath = join(server, 'wrangler.json')
  const config = unstable_readConfig({ config: configPath })
  // Secrets are looked for beside userConfigPath; ours are handed in, so it must find none.
  const { workerOptions, main } = unstable_getMiniflareWorkerOptions({
    ...config,
    configPath,
    userConfigPath: configPath,
  })
  const miniflare = convertV4MiniflareOptions({
    ...workerOptions,
    modulesRules: undefined,
    name: config.name ?? 'worker',
    bindings: { ...config.vars, ...vars },
    modules: readModules(server, main ?? join(server, 'entry.mjs')),
    modulesRoot: server,
    host: '127.0.0.1',
    port,
    cf: false,
    log: new Log(LogLevel.WARN),
    unsafeTriggerHandlers: true,
    handleStructuredLogs: ({ level, message }) => {
      onLog(level, message)
    },
  })
  return { miniflare, crons: config.triggers.crons ?? [] }
}

/** The modules of the bundle; the one that workerd is to start with comes first. */
function readModules(server: string, main: string) {
  const paths = globSync('**/*.{mjs,js}', { cwd: server }).map((path) => join(server, path))
  const ordered = [main, ...paths.filter((path) => path !== main).sort()]
  return ordered.map((path) => ({ type: 'ESModule' as const, path }))
}
