import type { WritableAtom } from 'nanostores'
import type { CheckoutConstructor, HandlerAnswer } from '../api/razorpay-checkout.ts'
import type { Checkout } from '../contract/purchase.ts'
import { paymentStatusEndpoint } from '../contract/purchase.ts'
import type { Environment } from './environment.ts'
import type { PurchaseState } from './purchase-state.ts'
import type { Session } from './session.ts'

/** How often our own status is asked while the window is open: the widget may never say that money moved. */
const WATCH_OPEN_MS = 5_000

export type CheckoutEnd =
  | { kind: 'handed-over'; triple: PaymentTriple }
  /** Our server knows of the money although the widget did not say so. */
  | { kind: 'paid' }
  | { kind: 'dismissed' }
  /** The window did not come up: the script cannot be had, or it failed. */
  | { kind: 'script-missing' }

export interface PaymentTriple {
  orderId: string
  paymentId: string
  signature: string
}

export interface CheckoutParts {
  environment: Environment
  session: Session
  sellerName: string
  description: string
  /** Told when the window opens and of each declined try; the window stays open for another one. */
  $purchase: WritableAtom<PurchaseState>
}

/**
 * Opens the payment widget for an order and waits for its end. A declined payment is no end: another try
 * may follow in the same window. No amounts are sent: the order holds them.
 */
export async function runCheckout(parts: CheckoutParts, order: Checkout): Promise<CheckoutEnd> {
  const widget = await parts.environment.loadCheckout(order.checkoutScript)
  const isForeign = widget?.__emulator === true && order.mode !== 'emulator'
  if (widget === null || isForeign) return { kind: 'script-missing' }
  // A widget that throws has shown no window: the buyer can do about it what they can about a script that is missing.
  return openWindow(parts, order, widget).catch((): CheckoutEnd => ({ kind: 'script-missing' }))
}

function openWindow(parts: CheckoutParts, order: Checkout, widget: CheckoutConstructor) {
  return new Promise<CheckoutEnd>((resolve) => {
    let callOffWatch: () => void = () => undefined
    let hasEnded = false
    const end = (kind: CheckoutEnd) => {
      hasEnded = true
      callOffWatch()
      resolve(kind)
    }
    const checkout = new widget({
      ...widgetOptions(parts, order),
      modal: {
        confirm_close: false,
        ondismiss: () => {
          end({ kind: 'dismissed' })
        },
      },
      handler: (answer) => {
        end({ kind: 'handed-over', triple: tripleOf(answer) })
      },
    })
    checkout.on('payment.failed', ({ error }) => {
      const declined = error?.description ?? 'The payment was declined.'
      parts.$purchase.set({ step: 'paying', declined })
    })
    const watch = () => {
      callOffWatch = parts.environment.clock.after(WATCH_OPEN_MS, () => void look())
    }
    const look = async () => {
      const isPaid = await isPaidForSure(parts.session, order.purchaseId)
      // Signed out meanwhile, nobody is told any more how it stands: the window alone says how it ends.
      if (hasEnded || (!isPaid && isSignedOut(parts.session))) return
      if (!isPaid) {
        watch()
        return
      }
      end({ kind: 'paid' })
      checkout.close()
    }
    checkout.open()
    parts.$purchase.set({ step: 'paying', declined: null })
    watch()
  })
}

/** UPI only when the server allows it, and never by typing an address (withdrawn by NPCI in 2026). */
function widgetOptions(parts: CheckoutParts, order: Checkout) {
  const hide = order.upiEnabled ? [{ method: 'upi', flows: ['collect'] }] : [{ method: 'upi' }]
  const callback = parts.environment.checkoutCallback()
  return {
    key: order.razorpayKeyId,
    order_id: order.order.id,
    name: parts.sellerName,
    description: parts.description,
    prefill: buyerOf(parts.session),
    theme: { color: '#14130F' },
    config: { display: { hide } },
    ...(callback === null ? {} : { callback_url: callback, redirect: true }),
  }
}

function buyerOf(session: Session) {
  const user = session.$session.get().user
  return { name: user?.profile.fullName ?? user?.username ?? '', email: user?.email ?? '' }
}

function tripleOf(answer: HandlerAnswer): PaymentTriple {
  return {
    orderId: answer.razorpay_order_id,
    paymentId: answer.razorpay_payment_id,
    signature: answer.razorpay_signature,
  }
}

/** Whether our server has settled this purchase. False also when it cannot be asked. */
export async function isPaidForSure(session: Session, purchaseId: string): Promise<boolean> {
  const result = await session.call(paymentStatusEndpoint, { params: { id: purchaseId } })
  return result.ok && result.data.payment.settlement === 'paid'
}

/** Whether the session is over: then there is nobody to ask for. */
export function isSignedOut(session: Session): boolean {
  return session.$session.get().status === 'guest'
}
