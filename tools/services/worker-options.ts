import { globSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, type MiniflareOptions } from 'miniflare'
import { readDescription } from '../build/worker-description.ts'

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
  const { name, main, crons, vars: ownVars, workerOptions } = readDescription(folder)
  const miniflare = convertV4MiniflareOptions({
    ...workerOptions,
    modulesRules: undefined,
    name,
    bindings: { ...ownVars, ...vars },
    modules: readModules(server, main),
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
  return { miniflare, crons }
}

/** The modules of the bundle; the one that workerd is to start with comes first. */
function readModules(server: string, main: string) {
  const paths = globSync('**/*.{mjs,js}', { cwd: server }).map((path) => join(server, path))
  const ordered = [main, ...paths.filter((path) => path !== main).sort()]
  return ordered.map((path) => ({ type: 'ESModule' as const, path }))
}
