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

/**
 * Loads the payment provider's script once per page, when a user buys. Resolves to null when the script does not
 * load: no network, or an extension blocks it. The next call tries again.
 */
export function createCheckoutLoader(page: Window, timeoutMs: number): LoadCheckout {
  let loading: Promise<CheckoutConstructor | null> | null = null
  return async (scriptUrl) => {
    loading ??= insertScript(page, scriptUrl, timeoutMs)
    const checkout = await loading
    if (checkout === null) loading = null
    return checkout
  }
}

function insertScript(page: Window, scriptUrl: string, timeoutMs: number) {
  return new Promise<CheckoutConstructor | null>((resolve) => {
    const script = page.document.createElement('script')
    const finish = () => {
      page.clearTimeout(timer)
      if (page.Razorpay === undefined) script.remove()
      resolve(page.Razorpay ?? null)
    }
    const timer = page.setTimeout(finish, timeoutMs)
    script.src = scriptUrl
    script.async = true
    script.onload = finish
    script.onerror = finish
    page.document.head.append(script)
  })
}
