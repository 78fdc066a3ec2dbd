import { Hono } from 'hono'
import { ApiError, unknownRoute } from '../api-error.ts'
import { collection } from '../collection.ts'
import { cancelLink, getLink, listLinks } from '../link/change-link.ts'
import { createLink } from '../link/create-link.ts'
import { createOrder } from '../order/create-order.ts'
import {
  fetchOrder,
  getOrder,
  listOrders,
  paymentsOfOrder,
  updateOrder,
} from '../order/read-orders.ts'
import { captureOnRequest } from '../payment/capture-request.ts'
import { getPayment, listPayments, showPayment } from '../payment/read-payments.ts'
import { getRefund, refundOnRequest, refundsOfPayment } from '../refund/request-refund.ts'
import type { World } from '../world.ts'
import { requireKey } from './basic-auth.ts'
import { readBody } from './read-body.ts'

function queryOf(url: string): URLSearchParams {
  return new URL(url).searchParams
}

function orderRoutes(world: World): Hono {
  const app = new Hono()
  app.post('/', async (c) => c.json(createOrder(world, await readBody(c)).entity))
  app.get('/', (c) => c.json(listOrders(world, queryOf(c.req.url))))
  app.get('/:id', (c) => c.json(fetchOrder(world, c.req.param('id'), c.req.path).entity))
  app.patch('/:id', async (c) => c.json(updateOrder(world, c.req.param('id'), await readBody(c))))
  app.get('/:id/payments', (c) => {
    const id = getOrder(world, c.req.param('id')).entity.id
    const query = queryOf(c.req.url)
    return c.json(collection(paymentsOfOrder(world, id).map((one) => showPayment(one, query))))
  })
  return app
}

function paymentRoutes(world: World): Hono {
  const app = new Hono()
  app.get('/', (c) => c.json(listPayments(world, queryOf(c.req.url))))
  app.get('/:id', (c) =>
    c.json(showPayment(getPayment(world, c.req.param('id')).entity, queryOf(c.req.url))),
  )
  app.post('/:id/capture', async (c) =>
    c.json(captureOnRequest(world, c.req.param('id'), await readBody(c))),
  )
  app.post('/:id/refund', async (c) => {
    const key = c.req.header('x-refund-idempotency') ?? null
    return c.json(refundOnRequest(world, c.req.param('id'), await readBody(c), key))
  })
  app.get('/:id/refunds', (c) => c.json(refundsOfPayment(world, c.req.param('id'))))
  return app
}

function linkRoutes(world: World): Hono {
  const app = new Hono()
  app.post('/', async (c) => c.json(createLink(world, await readBody(c)).entity))
  app.get('/', (c) => c.json(listLinks(world, queryOf(c.req.url))))
  app.get('/:id', (c) => c.json(getLink(world, c.req.param('id')).entity))
  app.post('/:id/cancel', (c) => c.json(cancelLink(world, c.req.param('id'))))
  return app
}

/** The emulated API, for the merchant's server alone: no CORS headers, so a browser's call fails as in reality. */
export function restRoutes(world: World): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    requireKey(world, c.req.header('authorization'))
    await next()
  })
  app.route('/orders', orderRoutes(world))
  app.route('/payments', paymentRoutes(world))
  app.route('/payment_links', linkRoutes(world))
  app.get('/refunds/:id', (c) => c.json(getRefund(world, c.req.param('id')).entity))
  app.all('*', () => {
    throw unknownRoute()
  })
  return app
}

/** Errors of the emulated API as Razorpay shows them. */
export function toErrorResponse(error: Error): Response {
  if (error instanceof ApiError) return Response.json(error.body, { status: error.status })
  const body = {
    error: {
      code: 'SERVER_ERROR',
      description: 'The server encountered an error. The incident has been reported to admins.',
      metadata: {},
    },
  }
  return Response.json(body, { status: 500 })
}
