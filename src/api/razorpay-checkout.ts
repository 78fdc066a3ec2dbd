/** The part of Razorpay's Standard Checkout that we use (its web integration guide, steps 1.2 and 1.3). */
export interface CheckoutOptions {
  key: string
  order_id: string
  name: string
  description: string
  prefill: { name: string; email: string }
  theme: { color: string }
  modal: { ondismiss: () => void; confirm_close: boolean }
  handler: (paid: HandlerAnswer) => void
  /** With `redirect`, Razorpay posts its answer there as a form and does not call `handler`. */
  callback_url?: string
  redirect?: boolean
  config: { display: { hide: { method: string; flows?: string[] }[] } }
}

interface HandlerAnswer {
  razorpay_payment_id: string
  razorpay_order_id: string
  razorpay_signature: string
}

interface CheckoutWindow {
  open: () => void
  close: () => void
  on: (event: 'payment.failed', listener: (event: FailedEvent) => void) => void
}

export interface FailedEvent {
  error?: { description?: string; reason?: string; metadata?: { payment_id?: string } }
}

export interface CheckoutConstructor {
  new (options: CheckoutOptions): CheckoutWindow
  /** The only payment mode that the script may be used in. The provider's own script does not say. */
  readonly paymentMode?: string
}

declare global {
  interface Window {
    Razorpay?: CheckoutConstructor
  }
}

export type LoadCheckout = (scriptUrl: string) => Promise<CheckoutConstructor | null>

const SCRIPT_TIMEOUT_MS = 15_000

let loading: Promise<CheckoutConstructor | null> | null = null

/**
 * Loads the payment provider's script once per page, when a user buys. Resolves to null when the script does not
 * load: no network, or an extension blocks it. The next call tries again.
 */
export const loadCheckout: LoadCheckout = async (scriptUrl) => {
  loading ??= insertScript(scriptUrl)
  const checkout = await loading
  if (checkout === null) loading = null
  return checkout
}

function insertScript(scriptUrl: string) {
  return new Promise<CheckoutConstructor | null>((resolve) => {
    const script = document.createElement('script')
    const finish = () => {
      window.clearTimeout(timer)
      if (window.Razorpay === undefined) script.remove()
      resolve(window.Razorpay ?? null)
    }
    const timer = window.setTimeout(finish, SCRIPT_TIMEOUT_MS)
    script.src = scriptUrl
    script.async = true
    script.onload = finish
    script.onerror = finish
    document.head.append(script)
  })
}
