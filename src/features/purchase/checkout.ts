import { type CheckoutConstructor, loadCheckout } from '../../api/razorpay-checkout.ts'
import type { Checkout, CheckoutProof } from '../../contract/purchase.ts'
import { isInAppBrowser } from '../../lib/in-app-browser.ts'
import { deferred } from '../../lib/deferred.ts'
import { environment } from '../../lib/environment.ts'
import { session } from '../session/session.ts'

/** Milliseconds between questions to our server while the window is open: the widget may never report a payment. */
const OPEN_POLL_MS = 5_000

type CheckoutEnd =
  | { kind: 'signed'; proof: CheckoutProof }
  /** Our server reports a payment that the widget has not reported. */
  | { kind: 'paid' }
  | { kind: 'dismissed' }
  /** The window did not open: the script did not load, or it failed. */
  | { kind: 'script-missing' }

interface CheckoutDeps {
  /** The line below the seller's name in the payment window. */
  describe: (checkout: Checkout) => string
  /** Called when the window opens, with null, and after each declined payment, with the provider's reason. */
  onPaying: (declined: string | null) => void
}

/**
 * Opens the payment window for an order and resolves when it is over. A declined payment does not end it:
 * the buyer may try again in the same window. It sends no amounts, because the order contains them.
 */
export async function runCheckout(deps: CheckoutDeps, checkout: Checkout): Promise<CheckoutEnd> {
  const widget = await (environment.loadCheckout ?? loadCheckout)(checkout.checkoutScript)
  const isForeign = (widget?.paymentMode ?? checkout.mode) !== checkout.mode
  if (widget === null || isForeign) return { kind: 'script-missing' }
  // A widget that throws has opened no window, so the buyer gets the same advice as after a missing script.
  return openWindow(deps, checkout, widget).catch((): CheckoutEnd => ({ kind: 'script-missing' }))
}

async function openWindow(deps: CheckoutDeps, checkout: Checkout, widget: CheckoutConstructor) {
  const { promise: ended, resolve: end } = deferred<CheckoutEnd>()
  const paymentWindow = new widget({
    ...widgetOptions(deps, checkout),
    modal: {
      confirm_close: false,
      ondismiss: () => end({ kind: 'dismissed' }),
    },
    handler: (answer) => {
      const proof = {
        orderId: answer.razorpay_order_id,
        paymentId: answer.razorpay_payment_id,
        signature: answer.razorpay_signature,
      }
      end({ kind: 'signed', proof })
    },
  })
  paymentWindow.on('payment.failed', ({ error }) =>
    deps.onPaying(error?.description ?? 'The payment was declined.'),
  )
  paymentWindow.open()
  deps.onPaying(null)
  const stopPolling = pollUntilPaid({
    purchaseId: checkout.purchaseId,
    waitMs: () => OPEN_POLL_MS,
    onPaid: () => {
      end({ kind: 'paid' })
      paymentWindow.close()
    },
  })
  // Only there the window leaves the page, to which "back" returns.
  const stopListening = isInAppBrowser(environment.userAgent())
    ? environment.onReturn(() => {
        end({ kind: 'dismissed' })
        paymentWindow.close()
      })
    : () => undefined
  return ended.finally(() => {
    stopPolling()
    stopListening()
  })
}

/** Offers UPI only when the server allows it, and never by typing an address (NPCI withdrew that in 2026). */
function widgetOptions({ describe }: CheckoutDeps, checkout: Checkout) {
  const { user } = session.$session.get()
  const hide = checkout.upiEnabled ? [{ method: 'upi', flows: ['collect'] }] : [{ method: 'upi' }]
  const callback = isInAppBrowser(environment.userAgent())
    ? { callback_url: environment.here().origin + '/api/payment/checkout-callback', redirect: true }
    : {}
  return {
    key: checkout.razorpayKeyId,
    order_id: checkout.order.id,
    name: checkout.seller.name,
    description: describe(checkout),
    prefill: { name: user?.profile.fullName ?? user?.username ?? '', email: user?.email ?? '' },
    theme: { color: checkout.seller.color },
    config: { display: { hide } },
    ...callback,
  }
}

interface Poll {
  purchaseId: string
  /** Milliseconds before each question, counted from 0; undefined ends the polling. */
  waitMs: (turn: number) => number | undefined
  onPaid: () => void
}

/** Polls our server until a purchase is paid or the user signs out. Returns a function that stops the polling. */
export function pollUntilPaid({ purchaseId, waitMs, onPaid }: Poll) {
  let cancelTimer: () => void = () => undefined
  let isStopped = false

  const ask = async (turn: number) => {
    const isPaid = await isPurchasePaid(purchaseId)
    if (isStopped) return
    if (isPaid) onPaid()
    else if (session.$session.get().status !== 'guest') waitFor(turn + 1)
  }
  const waitFor = (turn: number) => {
    const ms = waitMs(turn)
    if (ms !== undefined) cancelTimer = environment.clock.after(ms, () => void ask(turn))
  }

  waitFor(0)
  return () => {
    isStopped = true
    cancelTimer()
  }
}

/** Whether our server reports this purchase as paid. False also when the call fails. */
export async function isPurchasePaid(purchaseId: string): Promise<boolean> {
  const result = await session.call('GET /api/payment/status/{id}', { params: { id: purchaseId } })
  return result.ok && result.data.payment.settlement === 'paid'
}
