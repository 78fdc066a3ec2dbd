import type { Context } from 'hono'
import { Hono } from 'hono'
import { auth } from 'hono/utils/basic-auth'
import { ApiError, badRequest, unknownRoute } from '../core/errors.ts'
import type { World } from '../core/world.ts'
import { collection } from '../money/collection.ts'
import { getDispute, listDisputes } from '../money/dispute.ts'
import { cancelLink, createLink, getLink, listLinks } from '../money/links.ts'
import { createOrder, getOrder, listOrders, paymentsOfOrder } from '../money/orders.ts'
import { captureOnRequest, getPayment, listPayments } from '../money/payments.ts'
import { getRefund, listRefunds, refundOnRequest } from '../money/refunds.ts'

/** Throws unless the request carries the emulator's own key, as `Basic` in exactly this spelling. */
function requireKey({ config }: World, request: Request): void {
  const rejection = (description: string) =>
    new ApiError(401, { code: 'BAD_REQUEST_ERROR', description })
  const isBasic = request.headers.get('authorization')?.startsWith('Basic ')
  const key = isBasic ? auth(request) : undefined
  if (!key) throw rejection('Please provide your api key for authentication purposes.')
  if (key.username.startsWith('rzp_live_')) {
    config.log(
      'A LIVE RAZORPAY KEY WAS SENT TO THE EMULATOR. Find out which program is configured to do that.',
    )
  }
  if (key.username !== config.keyId || key.password !== config.keySecret) {
    throw rejection('Authentication failed')
  }
}

/** The JSON of a request. An empty body is an empty object. */
export async function readJson(c: Context): Promise<unknown> {
  const text = await c.req.text()
  try {
    return JSON.parse(text.trim() || '{}')
  } catch (cause) {
    throw Object.assign(badRequest('The request body is not valid JSON.'), { cause })
  }
}

/** The REST API. It sends no CORS headers, so that only a server can call it and a browser fails. */
export function restRoutes(world: World): Hono {
  const app = new Hono()
  const query = (c: Context) => new URL(c.req.url).searchParams

  app.use(async (c, next) => {
    requireKey(world, c.req.raw)
    await next()
  })

  app.post('/orders', async (c) => c.json(createOrder(world, await readJson(c))))
  app.get('/orders', (c) => c.json(listOrders(world, query(c))))
  app.get('/orders/:id', (c) => c.json(getOrder(world, c.req.param('id')).entity))
  app.get('/orders/:id/payments', (c) => {
    const { id } = getOrder(world, c.req.param('id')).entity
    return c.json(collection(paymentsOfOrder(world, id)))
  })

  app.get('/payments', (c) => c.json(listPayments(world, query(c))))
  app.get('/payments/:id', (c) => c.json(getPayment(world, c.req.param('id')).entity))
  app.post('/payments/:id/capture', async (c) =>
    c.json(captureOnRequest(world, c.req.param('id'), await readJson(c))),
  )
  app.post('/payments/:id/refund', async (c) => {
    const { entity } = getPayment(world, c.req.param('id'))
    const key = c.req.header('x-refund-idempotency') ?? null
    return c.json(refundOnRequest(world, entity, await readJson(c), key))
  })
  app.get('/payments/:id/refunds', (c) => {
    const { id } = getPayment(world, c.req.param('id')).entity
    return c.json(listRefunds(world, query(c), id))
  })
  app.get('/refunds', (c) => c.json(listRefunds(world, query(c))))
  app.get('/refunds/:id', (c) => c.json(getRefund(world, c.req.param('id'))))

  app.get('/disputes', (c) => c.json(listDisputes(world, query(c))))
  app.get('/disputes/:id', (c) => c.json(getDispute(world, c.req.param('id'))))

  app.post('/payment_links', async (c) => c.json(createLink(world, await readJson(c))))
  app.get('/payment_links', (c) => c.json(listLinks(world, query(c))))
  app.get('/payment_links/:id', (c) => c.json(getLink(world, c.req.param('id')).entity))
  app.post('/payment_links/:id/cancel', (c) => c.json(cancelLink(world, c.req.param('id'))))

  app.all('*', () => {
    throw unknownRoute()
  })
  return app
}
