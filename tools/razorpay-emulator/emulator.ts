import { Hono } from 'hono'
import type { Clock } from './core/clock.ts'
import { ApiError, ConnectionDropped } from './core/errors.ts'
import type { State } from './core/state.ts'
import { emptyState } from './core/state.ts'
import { createTimers } from './core/timers.ts'
import type { Config, World } from './core/world.ts'
import { restRoutes } from './http/api.ts'
import { checkoutRoutes } from './http/checkout.ts'
import { controlRoutes } from './http/control.ts'
import { journal, wireFaults } from './http/faults.ts'
import { assetRoutes, bankPageRoutes, linkPageRoutes } from './http/pages.ts'
import { runJob } from './money/jobs.ts'
import { defaults, requireEmulatorKey, requireLoopbackUrl } from './safety.ts'

export interface EmulatorOptions {
  clock: Clock
  /** All ids follow from it. Two emulators whose ids must differ need two seeds. */
  seed: string
  webhookUrl: string
  publicOrigin: string
  fetch: typeof fetch
  webhookSecret?: string
  keyId?: string
  keySecret?: string
  log?: (line: string) => void
  /** The state of an earlier run, and the file that keeps it. */
  state?: State | null
  save?: (state: State) => void
  /** Shown in the console. */
  warning?: string | null
}

export interface Emulator {
  /** Answers as the emulator's server does. Throws a TypeError where a fault drops the connection. */
  fetch(request: Request): Promise<Response>
  /** Moves the virtual clock ahead and runs the timers that fall due. */
  advance(seconds: number): Promise<void>
  /** The live state, for reading. */
  state(): State
  close(): void
}

function readConfig(options: EmulatorOptions): Config {
  const config = {
    keyId: defaults.keyId,
    keySecret: defaults.keySecret,
    webhookSecret: defaults.webhookSecret,
    log: () => undefined,
    warning: null,
    ...options,
  }
  requireEmulatorKey(config.keyId)
  requireLoopbackUrl('The webhook URL', config.webhookUrl)
  requireLoopbackUrl('The public origin', config.publicOrigin)
  return config
}

const serverError = {
  error: {
    code: 'SERVER_ERROR',
    description: 'The server encountered an error. The incident has been reported to admins.',
    metadata: {},
  },
}

function createApp(world: World, save: () => void): Hono {
  const app = new Hono()
  app.onError((error, c) => {
    if (error instanceof ConnectionDropped) throw error
    if (error instanceof ApiError) return Response.json(error.body, { status: error.status })
    world.config.log(`Error in the emulator: ${String(error.stack)}`)
    return c.json(serverError, 500)
  })
  app.use(journal(world), wireFaults(world), async (c, next) => {
    await next()
    // Opening the page of a link creates its order.
    if (c.req.method !== 'GET' || c.req.path.startsWith('/l/')) save()
  })
  return app
}

/** The local Razorpay emulator: API, checkout, links, webhooks and the control API. */
export function createEmulator(options: EmulatorOptions): Emulator {
  const state = options.state ?? emptyState(options.seed)
  // The endpoint did not fail while the emulator was down.
  state.failingSince = null
  options.clock.moveTo(state.clock)
  const world: World = {
    state,
    journal: [],
    clock: options.clock,
    config: readConfig(options),
    webhookActions: [],
    armTimers: () => undefined,
  }
  const save = () => {
    world.state.clock = Math.round(world.clock.now())
    options.save?.(world.state)
  }
  const timers = createTimers(world, runJob, save)
  world.armTimers = timers.arm
  timers.arm()
  const app = createApp(world, save)
  app.route('/', assetRoutes())
  app.route('/v1', restRoutes(world))
  app.route('/__emu', controlRoutes(world, timers))
  app.route('/checkout/api', checkoutRoutes(world))
  app.route('/l', linkPageRoutes(world))
  app.route('/bank', bankPageRoutes(world))
  return {
    fetch: async (request) => app.fetch(request),
    advance: (seconds) => timers.advanceTo(world.clock.now() + seconds * 1000),
    state: () => world.state,
    close: timers.stop,
  }
}
