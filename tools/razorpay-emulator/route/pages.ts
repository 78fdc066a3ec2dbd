import type { Context } from 'hono'
import { Hono } from 'hono'
import { defaults } from '../defaults.ts'
import { cspFor } from './csp.ts'
import { assets, formatAmount, renderPage } from '../page/assets.ts'
import { findLinkByCode, orderOfLink } from '../link/change-link.ts'
import { completeAttempt } from '../payment/complete-attempt.ts'
import { getPayment } from '../payment/read-payments.ts'
import { signLink } from '../signature.ts'
import type { LinkRecord } from '../state/state.ts'
import type { World } from '../world.ts'

function html(c: Context, text: string, status: 200 | 404 | 410 = 200): Response {
  c.header('content-security-policy', cspFor('page'))
  return c.html(text, status)
}

function message(c: Context, title: string, text: string, status: 200 | 404 | 410 = 200): Response {
  return html(c, renderPage('message', { title, text }), status)
}

/** Static files of checkout, pages and console. The console's page carries the control token. */
export function assetRoutes(world: World): Hono {
  const app = new Hono()
  for (const [path, { text, type }] of assets) {
    app.get(path, (c) => {
      c.header('content-type', type)
      c.header('cache-control', 'no-store')
      c.header('content-security-policy', cspFor(path === '/checkout/frame' ? 'frame' : 'page'))
      return c.body(
        path === '/__emu/ui' ? text.replace('{{token}}', world.config.controlToken) : text,
      )
    })
  }
  for (const path of ['/', '/__emu']) app.get(path, (c) => c.redirect('/__emu/ui'))
  app.get('/favicon.ico', (c) => c.body(null, 204))
  app.post('/lumberjack', (c) => c.body(null, 204))
  return app
}

function overOf(link: LinkRecord): { title: string; text: string } | null {
  const { status } = link.entity
  if (status === 'paid')
    return { title: 'Paid', text: 'This payment link has been paid. Thank you.' }
  if (status === 'cancelled') {
    return { title: 'Cancelled', text: 'This payment link was cancelled. Ask for a new one.' }
  }
  if (status === 'expired') {
    return { title: 'Expired', text: 'This payment link has expired. Ask for a new one.' }
  }
  return null
}

/** The callback with the five signed parameters, or null for a link that names none. */
function callbackOf(world: World, link: LinkRecord, paymentId: string): string | null {
  const { id, callback_url, reference_id, status } = link.entity
  if (!URL.canParse(callback_url)) return null
  const url = new URL(callback_url)
  const signed = { id, referenceId: reference_id, status, paymentId }
  url.searchParams.set('razorpay_payment_id', paymentId)
  url.searchParams.set('razorpay_payment_link_id', id)
  url.searchParams.set('razorpay_payment_link_reference_id', reference_id)
  url.searchParams.set('razorpay_payment_link_status', status)
  url.searchParams.set('razorpay_signature', signLink(signed, world.config.keySecret))
  return url.toString()
}

export function linkPageRoutes(world: World): Hono {
  const app = new Hono()
  const missing = (c: Context) =>
    message(c, 'Not found', 'There is no such payment link. Check the address.', 404)

  app.get('/:code', (c) => {
    const link = findLinkByCode(world, c.req.param('code'))
    if (!link) return missing(c)
    const over = overOf(link)
    if (over) return message(c, over.title, over.text, link.entity.status === 'paid' ? 200 : 410)
    const order = orderOfLink(world, link).entity
    return html(
      c,
      renderPage('link', {
        merchant: world.state.settings.merchantName,
        amount: formatAmount(order.amount, order.currency),
        description: link.entity.description,
        reference: link.entity.reference_id,
        key: world.config.keyId,
        order: order.id,
        email: link.entity.customer.email ?? '',
        contact: link.entity.customer.contact ?? '',
      }),
    )
  })

  app.get('/:code/done', (c) => {
    const link = findLinkByCode(world, c.req.param('code'))
    if (!link) return missing(c)
    const paymentId = c.req.query('payment_id') ?? ''
    if (
      link.entity.status !== 'paid' ||
      getPayment(world, paymentId).entity.order_id !== link.orderId
    ) {
      return message(
        c,
        'Not paid yet',
        'The payment has not been confirmed yet. Reload in a moment.',
      )
    }
    const callback = callbackOf(world, link, paymentId)
    if (callback) return c.redirect(callback)
    return message(c, 'Paid', 'Thank you, the payment went through.')
  })
  return app
}

export function bankPageRoutes(world: World, runDue: () => Promise<void>): Hono {
  const app = new Hono()
  app.get('/:id', (c) => {
    const { entity } = getPayment(world, c.req.param('id'))
    const amount = formatAmount(entity.amount, entity.currency)
    const bank = entity.bank ?? entity.wallet ?? 'bank'
    return html(c, renderPage('bank', { id: entity.id, amount, bank, account: defaults.accountId }))
  })
  app.post('/:id/:answer{success|failure}', async (c) => {
    const payment = getPayment(world, c.req.param('id'))
    const isGood = c.req.param('answer') === 'success'
    completeAttempt(
      world,
      payment,
      isGood ? { kind: 'success' } : { kind: 'failure', reason: 'payment_failed' },
    )
    await runDue()
    const text = 'You can close this window and go back to the shop.'
    return message(c, isGood ? 'Payment made' : 'Payment failed', text)
  })
  return app
}
