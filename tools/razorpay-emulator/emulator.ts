import { Hono } from 'hono'
import type { Clock } from './clock.ts'
import { defaults } from './defaults.ts'
import { pickWire } from './fault/pick.ts'
import { takeFault } from './fault/take.ts'
import { strike, suits } from './fault/wire.ts'
import { nextSeed } from './ids.ts'
import { runJob } from './jobs.ts'
import { createJournal } from './journal.ts'
import { readBasicAuth } from './route/basic-auth.ts'
import { checkoutApiRoutes } from './route/checkout.ts'
import { controlRoutes } from './route/control.ts'
import { describeRequest } from './route/describe-request.ts'
import { assetRoutes, bankPageRoutes, linkPageRoutes } from './route/pages.ts'
import { restRoutes, toErrorResponse } from './route/rest.ts'
import { requireEmulatorKey, requireLoopbackUrl } from './safety.ts'
import type { State } from './state/state.ts'
import { emptyState } from './state/state.ts'
import type { Store } from './state/store.ts'
import { memoryStore } from './state/store.ts'
import { createTimers } from './timers.ts'
import type { Config, World } from './world.ts'

export interface EmulatorOptions {
  clock: Clock
  /** Ids follow from it; two emulators whose ids must not meet need two seeds. */
  seed: string
  webhookUrl: string
  publicOrigin: string
  fetch: typeof fetch
  webhookSecret?: string
  keyId?: string
  keySecret?: string
  controlToken?: string
  webhookTimeoutMs?: number
  log?: (line: string) => void
  /** Where the state outlives a restart, and what was found there. */
  store?: Store
  state?: State | null
}

export interface Emulator {
  /** Answers as the emulator's server does. Throws a TypeError where a fault drops the connection. */
  fetch(request: Request): Promise<Response>
  /** Moves the virtual clock on and runs what falls due on the way. */
  advance(seconds: number): Promise<void>
  /** Resolves once no webhook delivery or other job is running. */
  settled(): Promise<void>
  /** The live state, to look at. */
  state(): State
  close(): void
}

function readConfig(options: EmulatorOptions): Config {
  const keyId = options.keyId ?? defaults.keyId
  requireEmulatorKey(keyId)
  requireLoopbackUrl('The webhook URL', options.webhookUrl)
  requireLoopbackUrl('The public origin', options.publicOrigin)
  return {
    keyId,
    keySecret: options.keySecret ?? defaults.keySecret,
    webhookSecret: options.webhookSecret ?? defaults.webhookSecret,
    webhookUrl: options.webhookUrl,
    publicOrigin: options.publicOrigin,
    controlToken: options.controlToken ?? defaults.controlToken,
    webhookTimeoutMs: options.webhookTimeoutMs ?? 5000,
    fetch: options.fetch,
    log: options.log ?? (() => undefined),
  }
}

function createWorld(options: EmulatorOptions): World {
  const state = options.state ?? emptyState(options.seed)
  // While the emulator was down nobody failed to answer it.
  state.endpoint.failingSince = null
  options.clock.moveTo(state.clock)
  return {
    state,
    clock: options.clock,
    config: readConfig(options),
    deliveryPlan: [],
    armTimers: () => undefined,
  }
}

/** The local stand-in for Razorpay: API, checkout, links, webhooks and the control API. */
export function createEmulator(options: EmulatorOptions): Emulator {
  const world = createWorld(options)
  const store = options.store ?? memoryStore
  const journal = createJournal()
  const save = () => {
    world.state.clock = Math.round(world.clock.now())
    return store.save(world.state)
  }
  const timers = createTimers(world, (timer) => runJob(world, timer.job), save)
  world.armTimers = timers.arm
  timers.arm()

  function reset(seed: string | undefined): void {
    const { seed: before, counter } = world.state
    world.state = emptyState(seed ?? nextSeed(before, counter))
    journal.clear()
    timers.arm()
  }

  const app = new Hono()
  app.onError((error) => {
    const response = toErrorResponse(error)
    if (response.status >= 500) world.config.log(`Fault in the emulator: ${String(error.stack)}`)
    return response
  })
  app.route('/', assetRoutes(world))
  app.route('/v1', restRoutes(world))
  app.route('/__emu', controlRoutes({ world, journal, timers, reset }))
  app.route('/checkout/api', checkoutApiRoutes(world, timers.runDue))
  app.route('/l', linkPageRoutes(world))
  app.route('/bank', bankPageRoutes(world, timers.runDue))

  async function carryOut(request: Request): Promise<Response> {
    const response = await app.fetch(request)
    const isReading = request.method === 'GET' && !new URL(request.url).pathname.startsWith('/l/')
    if (!isReading) await save()
    return response
  }

  return {
    async fetch(request) {
      const { occasion, copy } = await describeRequest(request)
      const fault = takeFault(world, occasion, (action) => {
        const wire = pickWire(action)
        return wire && suits(wire, occasion.method, occasion.path) ? wire : null
      })
      const entry = {
        at: world.clock.now(),
        method: occasion.method,
        path: occasion.path,
        keyId: readBasicAuth(request.headers.get('authorization'))?.keyId ?? null,
        status: null,
        fault: fault?.type ?? null,
      }
      const run = () => carryOut(copy)
      try {
        const response = await (fault ? strike(fault, request.signal, run) : run())
        journal.add({ ...entry, status: response.status })
        return response
      } catch (cause) {
        journal.add(entry)
        throw cause
      }
    },
    advance: (seconds) => timers.advanceTo(world.clock.now() + seconds * 1000),
    settled: timers.settled,
    state: () => world.state,
    close: timers.stop,
  }
}
