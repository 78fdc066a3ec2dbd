import { Hono } from 'hono'
import { badRequest } from '../api-error.ts'
import { FaultInput } from '../fault/rule.ts'
import { addFault, unfiredFaults } from '../fault/take.ts'
import type { Journal } from '../journal.ts'
import { presetNames } from '../scenario/presets.ts'
import type { Timers } from '../timers.ts'
import { enableEndpoint, replayEvent, rotateSecret, sendEvent } from '../webhook/operate.ts'
import type { World } from '../world.ts'
import { nowSeconds } from '../world.ts'
import {
  ClockInput,
  ReplayInput,
  ResetInput,
  SecretInput,
  SendInput,
  SettingsInput,
} from './control-input.ts'
import { controlMoneyRoutes } from './control-money.ts'
import { parseBody } from './parse-body.ts'
import { readBody } from './read-body.ts'

export interface ControlParts {
  world: World
  journal: Journal
  timers: Timers
  reset: (seed: string | undefined) => void
}

function clockView(world: World) {
  return { now: nowSeconds(world), timers: world.state.timers.length }
}

function faultRoutes(world: World): Hono {
  const app = new Hono()
  const view = () => ({ faults: world.state.faults, unfired: unfiredFaults(world) })
  app.get('/', (c) => c.json(view()))
  app.post('/', async (c) => c.json(addFault(world, parseBody(FaultInput, await readBody(c)))))
  app.delete('/', (c) => {
    const before = view()
    world.state.faults = []
    return c.json(before)
  })
  app.delete('/:id', (c) => {
    const id = c.req.param('id')
    const before = world.state.faults.length
    world.state.faults = world.state.faults.filter((rule) => rule.id !== id)
    if (world.state.faults.length === before) throw badRequest('There is no fault with this id')
    return c.json(view())
  })
  return app
}

function webhookRoutes(world: World): Hono {
  const app = new Hono()
  app.get('/deliveries', (c) => {
    const { disabled, failingSince } = world.state.endpoint
    const endpoint = { url: world.config.webhookUrl, disabled, failingSince }
    return c.json({ endpoint, deliveries: world.state.deliveries })
  })
  app.post('/send', async (c) => {
    const { event, ...ids } = parseBody(SendInput, await readBody(c))
    sendEvent(world, event, ids)
    return c.json({ ok: true })
  })
  app.post('/replay', async (c) => {
    replayEvent(world, parseBody(ReplayInput, await readBody(c)).event_id)
    return c.json({ ok: true })
  })
  app.post('/secret', async (c) => {
    rotateSecret(world, parseBody(SecretInput, await readBody(c)).next)
    return c.json({ ok: true })
  })
  app.post('/enable', (c) => {
    enableEndpoint(world)
    return c.json({ ok: true })
  })
  return app
}

/** The control API of tests, operators and the console. Every call carries the control token. */
export function controlRoutes({ world, journal, timers, reset }: ControlParts): Hono {
  const app = new Hono()
  app.get('/health', (c) => c.json({ ok: true }))
  app.use(async (c, next) => {
    if (c.req.header('x-emu-control') !== world.config.controlToken) {
      return c.json({ error: { description: 'Send the control token as x-emu-control' } }, 403)
    }
    await next()
    return undefined
  })
  app.get('/state', (c) => c.json({ ...world.state, clock: world.clock.now() }))
  app.get('/presets', (c) => c.json(presetNames))
  app.get('/requests', (c) => c.json(journal.list()))
  app.get('/clock', (c) => c.json(clockView(world)))
  app.post('/clock', async (c) => {
    const input = parseBody(ClockInput, await readBody(c))
    const target =
      'setTo' in input ? input.setTo * 1000 : world.clock.now() + input.advanceSeconds * 1000
    await timers.advanceTo(target)
    return c.json(clockView(world))
  })
  app.post('/reset', async (c) => {
    reset(parseBody(ResetInput, await readBody(c)).seed)
    return c.json({ ok: true, seed: world.state.seed })
  })
  app.get('/settings', (c) => c.json(world.state.settings))
  app.post('/settings', async (c) => {
    const changes = parseBody(SettingsInput, await readBody(c))
    Object.assign(world.state.settings, changes)
    return c.json(world.state.settings)
  })
  app.route('/faults', faultRoutes(world))
  app.route('/webhook', webhookRoutes(world))
  app.route('/', controlMoneyRoutes(world))
  app.all('*', (c) => c.json({ error: { description: 'There is no such control call' } }, 404))
  return app
}
