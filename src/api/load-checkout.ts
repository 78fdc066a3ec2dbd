import type { CheckoutConstructor } from './razorpay-checkout.ts'

export type LoadCheckout = (scriptUrl: string) => Promise<CheckoutConstructor | null>

/**
 * Loads the payment provider's script, once a page, when somebody buys. Null when it cannot be had: the
 * network is gone or an extension blocks it. A failed try leaves nothing behind, so that the next can work.
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
    const settle = () => {
      page.clearTimeout(timer)
      if (page.Razorpay === undefined) script.remove()
      resolve(page.Razorpay ?? null)
    }
    const timer = page.setTimeout(settle, timeoutMs)
    script.src = scriptUrl
    script.async = true
    script.onload = settle
    script.onerror = settle
    page.document.head.append(script)
  })
}
