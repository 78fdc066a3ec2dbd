import { releases } from '../site/releases/releases.ts'
import { createApp } from './app.ts'
import { ConfigError, isLocalMachine, readConfig, readPageConfig } from './config.ts'
import { isFilm, serveFilm } from './http/serve-film.ts'
import { notConfigured } from './http/not-configured.ts'
import { serveShell } from './http/serve-shell.ts'
import { visitorOf } from './http/visitor.ts'
import { buildServices, purposeOf, type Services } from './services.ts'

/** As much of Cloudflare's execution context as we use. */
interface Execution {
  waitUntil(work: Promise<unknown>): void
}

const DAILY_CRON = '17 3 * * *'

/** The visitor that jobs act as. */
const SYSTEM = { ipAddress: 'system', ipPrefix: 'system', device: 'system' }

const app = createApp()

/** Cloudflare passes the same environment object to every request of an isolate, so it is read once. */
const servicesByEnv = new WeakMap<object, Services>()

function servicesOf(env: object): Services {
  const services = servicesByEnv.get(env) ?? buildServices(readConfig(env), releases)
  servicesByEnv.set(env, services)
  return services
}

/** Pages are served even when the configuration is unusable: only the API reads it. */
async function answer(request: Request, env: object, execution: Execution): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (isFilm(pathname)) return serveFilm(request, readPageConfig(env).ASSETS)
  if (!isForApp(pathname, env)) return serveShell(request, readPageConfig(env).ASSETS, releases)
  const { adminPages, allow, newContext, productName } = servicesOf(env)
  const visitor = visitorOf(request, productName)
  const { ctx, finish } = newContext({
    visitor,
    now: Date.now(),
    purpose: purposeOf(pathname),
  })
  const response = await app.fetch(request, { ctx, allow, adminPages })
  execution.waitUntil(finish())
  return response
}

function isForApp(pathname: string, env: object): boolean {
  if (pathname.startsWith('/api/') || /^\/admin(?:\/|$)/.test(pathname)) return true
  return pathname.startsWith('/__local/') && isLocalMachine(readPageConfig(env))
}

async function respond(request: Request, env: object, execution: Execution): Promise<Response> {
  try {
    return await answer(request, env, execution)
  } catch (error) {
    if (error instanceof ConfigError) return notConfigured.fetch(request, { fault: error.message })
    throw error
  }
}

export default {
  async fetch(request: Request, env: object, execution: Execution): Promise<Response> {
    const answered = respond(request, env, execution)
    // A call runs to its end when its caller goes away, so that it gives back its places at the database and in the queues.
    execution.waitUntil(answered)
    return answered
  },

  async scheduled(event: { cron: string; scheduledTime: number }, env: object): Promise<void> {
    const { newContext } = servicesOf(env)
    // Not the scheduled time: a job for 10:00 that starts at 10:02 would date its findings before a webhook of 10:01.
    const now = Math.max(event.scheduledTime, Date.now())
    const { ctx, finish } = newContext({ visitor: SYSTEM, now, purpose: 'payment' })
    const { runDaily, runEveryMinute } = await import('./jobs/run-jobs.ts')
    await (event.cron === DAILY_CRON ? runDaily(ctx) : runEveryMinute(ctx))
    await finish()
  },
}
