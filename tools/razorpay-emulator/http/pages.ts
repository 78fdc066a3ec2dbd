import { readFileSync } from 'node:fs'
import type { Context } from 'hono'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { signLink } from '../core/signature.ts'
import type { LinkRecord } from '../core/state.ts'
import type { World } from '../core/world.ts'
import { completeAttempt } from '../money/attempt.ts'
import { findByCode, orderOfLink } from '../money/links.ts'
import { getPayment } from '../money/payments.ts'

const merchantName = 'Test merchant'

const types = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
} as const

function asset(name: string, type: keyof typeof types) {
  const text = readFileSync(new URL(`../pages/${name}.${type}`, import.meta.url), 'utf8')
  return { text, type: types[type] }
}

/** The files a browser loads, by their path. Read once, when the emulator starts. */
const assets = new Map([
  ['/checkout/v1/checkout.js', asset('checkout', 'js')],
  ['/checkout/frame', asset('frame', 'html')],
  ['/checkout/frame.js', asset('frame', 'js')],
  ['/checkout/panels.js', asset('panels', 'js')],
  ['/checkout/methods.js', asset('methods', 'js')],
  ['/cdn/risk.js', { text: '// The real checkout loads a script from here.\n', type: types.js }],
  ['/l/link.js', asset('link', 'js')],
  ['/style.css', asset('style', 'css')],
  ['/__emu/ui', asset('console', 'html')],
  ['/__emu/ui.js', asset('console', 'js')],
])

/** Only pages of this machine may frame the checkout, and none may frame the other pages. */
function policyFor(kind: 'frame' | 'page'): string {
  const ancestors = kind === 'frame' ? 'http://localhost:* http://127.0.0.1:*' : "'none'"
  return (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; " +
    `img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors ${ancestors}`
  )
}

/** Static files of checkout, pages and console. */
export function assetRoutes(): Hono {
  const app = new Hono()
  for (const [path, { text, type }] of assets) {
    app.get(path, (c) => {
      c.header('content-type', type)
      c.header('cache-control', 'no-store')
      c.header('content-security-policy', policyFor(path === '/checkout/frame' ? 'frame' : 'page'))
      return c.body(text)
    })
  }
  for (const path of ['/', '/__emu']) app.get(path, (c) => c.redirect('/__emu/ui'))
  app.get('/favicon.ico', (c) => c.body(null, 204))
  app.post('/lumberjack', (c) => c.body(null, 204))
  return app
}

type Html = ReturnType<typeof html>

function page(c: Context, title: string, body: Html, status: 200 | 404 | 410 = 200) {
  c.header('content-security-policy', policyFor('page'))
  return c.html(
    html`<!doctype html>
      <html lang="en" class="page">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${title}</title>
          <link rel="stylesheet" href="/style.css" />
        </head>
        <body class="buyer">
          <main class="sheet">
            <p class="banner">EMULATOR: no real money</p>
            <div class="stack">${body}</div>
          </main>
        </body>
      </html>`,
    status,
  )
}

function message(c: Context, title: string, text: string, status: 200 | 404 | 410 = 200) {
  return page(
    c,
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>`,
    status,
  )
}

/** An amount in minor units as people read it: `$35.00`, `₹2,999.00`. Both currencies have two digits. */
function formatAmount(amount: number, currency: string): string {
  const locale = currency === 'INR' ? 'en-IN' : 'en-US'
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount / 100)
}

const ended = {
  paid: ['Paid', 'This payment link has been paid. Thank you.', 200],
  cancelled: ['Cancelled', 'This payment link was cancelled. Ask for a new one.', 410],
  expired: ['Expired', 'This payment link has expired. Ask for a new one.', 410],
} as const

function payPage(c: Context, world: World, link: LinkRecord) {
  const order = orderOfLink(world, link).entity
  const { description, reference_id } = link.entity
  const amount = formatAmount(order.amount, order.currency)
  const body = html`<div>
      <h1>${merchantName}</h1>
      <p class="quiet">${description}</p>
      <p class="amount">${amount}</p>
      <p class="quiet">${reference_id}</p>
    </div>
    <div>
      <button
        id="pay"
        class="main"
        data-key="${world.config.keyId}"
        data-order="${order.id}"
        data-merchant="${merchantName}"
        disabled
      >
        Proceed to pay
      </button>
      <p id="notice" role="alert"></p>
    </div>
    <script src="/checkout/v1/checkout.js"></script>
    <script type="module" src="/l/link.js"></script>`
  return page(c, `Pay ${amount}`, body)
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

/** The page of a payment link, and where it goes once the link is paid. */
export function linkPageRoutes(world: World): Hono {
  const app = new Hono()
  const missing = (c: Context) =>
    message(c, 'Not found', 'There is no such payment link. Check the address.', 404)

  app.get('/:code', (c) => {
    const link = findByCode(world, c.req.param('code'))
    if (!link) return missing(c)
    const { status } = link.entity
    if (status === 'created') return payPage(c, world, link)
    const [title, text, code] = ended[status]
    return message(c, title, text, code)
  })

  app.get('/:code/done', (c) => {
    const link = findByCode(world, c.req.param('code'))
    if (!link) return missing(c)
    const paymentId = c.req.query('payment_id') ?? ''
    const { order_id } = getPayment(world, paymentId).entity
    if (link.entity.status !== 'paid' || order_id !== link.orderId) {
      const text = 'The payment has not been confirmed yet. Reload in a moment.'
      return message(c, 'Not paid yet', text)
    }
    const callback = callbackOf(world, link, paymentId)
    if (callback) return c.redirect(callback)
    return message(c, 'Paid', 'Thank you, the payment went through.')
  })
  return app
}

/** The page of the bank or wallet, with a button for each answer. */
export function bankPageRoutes(world: World): Hono {
  const app = new Hono()
  app.get('/:id', (c) => {
    const { id, amount, currency, bank, wallet } = getPayment(world, c.req.param('id')).entity
    const answer = (name: string, text: string, kind: string) =>
      html`<form method="post" action="/bank/${id}/${name}">
        <button class="${kind}">${text}</button>
      </form>`
    const body = html`<div>
        <h1>Test bank</h1>
        <p class="quiet">${bank ?? wallet ?? 'bank'}, payment ${id}</p>
        <p class="amount">${formatAmount(amount, currency)}</p>
      </div>
      ${answer('success', 'Success', 'main')} ${answer('failure', 'Failure', 'plain')}`
    return page(c, 'Test bank', body)
  })
  app.post('/:id/:answer{success|failure}', (c) => {
    const isGood = c.req.param('answer') === 'success'
    const outcome = isGood ? 'success' : { failure: 'payment_failed' }
    completeAttempt(world, getPayment(world, c.req.param('id')), outcome)
    const text = 'You can close this window and go back to the shop.'
    return message(c, isGood ? 'Payment made' : 'Payment failed', text)
  })
  return app
}
