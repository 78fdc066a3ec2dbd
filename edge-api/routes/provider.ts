import type { Hono, MiddlewareHandler } from 'hono'
import { cancelPage } from '../../src/contract/return-pages.ts'
import {
  checkoutCallbackEndpoint,
  paymentLinkCallbackEndpoint,
  razorpayWebhookEndpoint,
} from '../../src/contract/webhook.ts'
import type { AppEnv } from '../http/env.ts'
import { limitBody } from '../http/input.ts'
import { limitCalls } from '../http/limit-calls.ts'
import { mountAnswer, nameRoute } from '../http/mount-endpoint.ts'

const returns = () => import('../domain/purchase/return-from-payment.ts')

/** Razorpay's webhook, and the URLs Razorpay sends buyers back to. None of them carries a session. */
export function mountProvider(app: Hono<AppEnv>): void {
  mountWebhook(app)
  mountLinkCallback(app)
  mountCheckoutCallback(app)
}

function mountWebhook(app: Hono<AppEnv>): void {
  const { path } = razorpayWebhookEndpoint
  const limit = limitBody(razorpayWebhookEndpoint)
  app.post(path, nameRoute(razorpayWebhookEndpoint), limit, async (c) => {
    const { receiveWebhook } = await import('../domain/purchase/webhooks.ts')
    await receiveWebhook(c.env.ctx, {
      body: new Uint8Array(await c.req.arrayBuffer()),
      signature: c.req.header('X-Razorpay-Signature') ?? '',
      eventId: c.req.header('X-Razorpay-Event-Id') ?? null,
    })
    return c.json({ success: true })
  })
}

function mountLinkCallback(app: Hono<AppEnv>): void {
  const { path, query } = paymentLinkCallbackEndpoint
  const limit = limitCalls(paymentLinkCallbackEndpoint)
  app.get(path, nameRoute(paymentLinkCallbackEndpoint), backToCancel, limit, async (c) => {
    const { data = {} } = query.safeParse(c.req.query())
    const { returnFromLink } = await returns()
    return c.redirect(await returnFromLink(c.env.ctx, data), 303)
  })
}

function mountCheckoutCallback(app: Hono<AppEnv>): void {
  const { method, path } = checkoutCallbackEndpoint
  app.on(method, [path], backToCancel)
  mountAnswer(app, checkoutCallbackEndpoint, async (c, { body }) => {
    const { returnFromCheckout } = await returns()
    return c.redirect(await returnFromCheckout(c.env.ctx, body), 303)
  })
}

/** The browser shows these answers, so an error becomes a redirect to the cancel page. No buyer sends a body over the limit. */
const backToCancel: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  const { status } = c.res
  if (status < 400 || status === 413) return
  const reason = status < 429 ? 'verification_failed' : 'processing_error'
  c.res = new Response(null, { status: 303, headers: { Location: cancelPage(reason) } })
}
