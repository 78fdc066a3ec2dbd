import type { Hono, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { WEBHOOK_MAX_BYTES } from '../../src/contract/limits.ts'
import { SERVER } from '../../src/contract/messages.ts'
import { paymentLinkCallbackEndpoint, razorpayWebhookEndpoint } from '../../src/contract/webhook.ts'
import { receiveWebhook } from '../domain/purchase/receive-webhook.ts'
import { returnFromLink } from '../domain/purchase/return-from-link.ts'
import type { AppEnv } from '../http/env.ts'
import { fail } from '../http/failure.ts'
import { limitCalls } from '../http/limit-calls.ts'

/** What Razorpay calls, and where it sends people back to: neither carries a session. */
export function mountProvider(app: Hono<AppEnv>): void {
  mountWebhook(app)
  mountLinkCallback(app)
}

function mountWebhook(app: Hono<AppEnv>): void {
  const { path } = razorpayWebhookEndpoint
  const limit = bodyLimit({
    maxSize: WEBHOOK_MAX_BYTES,
    onError: (c) => fail(c, 'BODY_TOO_LARGE', SERVER.tooLarge),
  })
  app.post(path, named(razorpayWebhookEndpoint), limit, async (c) => {
    await receiveWebhook(c.get('services').ctx, {
      body: new Uint8Array(await c.req.arrayBuffer()),
      signature: c.req.header('X-Razorpay-Signature') ?? '',
      eventId: c.req.header('X-Razorpay-Event-Id') ?? null,
    })
    return c.json({ success: true })
  })
}

/** The answer is a page for a person, whatever happened. */
function mountLinkCallback(app: Hono<AppEnv>): void {
  const { path, query, limit } = paymentLinkCallbackEndpoint
  app.get(path, named(paymentLinkCallbackEndpoint), limitCalls(limit), async (c) => {
    const { data = {} } = query.safeParse(c.req.query())
    return c.redirect(await returnFromLink(c.get('services').ctx, data), 303)
  })
}

function named({ method, path }: Pick<Endpoint, 'method' | 'path'>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.set('route', `${method} ${path}`)
    await next()
  }
}
