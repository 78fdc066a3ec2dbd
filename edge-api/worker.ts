import { createApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
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

async function answer(request: Request, config: Config, execution: Execution) {
  const { pathname } = new URL(request.url)
  const isOurs = pathname.startsWith('/api/') || pathname.startsWith('/__local/')
  if (!isOurs) return serveShell(request, config.ASSETS)
  const { ctx, finish } = buildContext(config, { visitor: visitorOf(request), now: Date.now() })
  const response = await createApp({ ctx, allow: buildRateLimiter(config) }).fetch(request)
  execution.waitUntil(finish())
  return response
}

export default {
  async fetch(request: Request, env: unknown, execution: Execution): Promise<Response> {
    try {
      return await answer(request, readConfig(env), execution)
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
