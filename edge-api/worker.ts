import { createApp } from './app.ts'
import { ConfigError, isLocalMachine, readConfig, readPlace } from './config.ts'
import { runDaily, runEveryMinute } from './jobs/run-jobs.ts'
import { buildContext, buildRateLimiter } from './services.ts'
import { notConfigured } from './http/not-configured.ts'
import { serveShell } from './http/serve-shell.ts'
import { visitorOf } from './http/visitor.ts'

/** As much of Cloudflare's execution context as we use. */
interface Execution {
  waitUntil(work: Promise<unknown>): void
}

const DAILY_CRON = '17 3 * * *'

/** Who a job acts as: nobody at a keyboard. */
const SYSTEM = { address: 'system', ipPrefix: 'system', device: 'system' }

/** Pages are served whatever becomes of the configuration: it is read for the API alone. */
async function answer(request: Request, env: unknown, execution: Execution) {
  const place = readPlace(env)
  if (!isForApp(new URL(request.url), isLocalMachine(place))) {
    return serveShell(request, place.ASSETS)
  }
  const config = readConfig(env)
  const { ctx, finish } = buildContext(config, { visitor: visitorOf(request), now: Date.now() })
  const response = await createApp({ ctx, allow: buildRateLimiter(config) }).fetch(request)
  execution.waitUntil(finish())
  return response
}

function isForApp({ pathname }: URL, isLocal: boolean): boolean {
  return pathname.startsWith('/api/') || (isLocal && pathname.startsWith('/__local/'))
}

export default {
  async fetch(request: Request, env: unknown, execution: Execution): Promise<Response> {
    try {
      return await answer(request, env, execution)
    } catch (error) {
      if (error instanceof ConfigError) return notConfigured(request, error.message)
      throw error
    }
  },

  async scheduled(event: { cron: string; scheduledTime: number }, env: unknown): Promise<void> {
    const { ctx, finish } = buildContext(readConfig(env), {
      visitor: SYSTEM,
      now: event.scheduledTime,
    })
    await (event.cron === DAILY_CRON ? runDaily(ctx) : runEveryMinute(ctx))
    await finish()
  },
}
