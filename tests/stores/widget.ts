import type { CheckoutConstructor, CheckoutOptions } from '../../src/api/razorpay-checkout.ts'

/** A payment widget that the test controls. `opened` contains the options of each window, in order. */
export function createWidget() {
  const opened: CheckoutOptions[] = []
  const closed: CheckoutOptions[] = []
  const Widget: CheckoutConstructor = class {
    readonly options: CheckoutOptions
    static readonly paymentMode = 'emulator'
    constructor(options: CheckoutOptions) {
      this.options = options
    }
    open() {
      opened.push(this.options)
    }
    close() {
      closed.push(this.options)
      this.options.modal.ondismiss()
    }
    on() {
      // No card is declined in tests of stores.
    }
  }
  return {
    Widget,
    opened,
    closed,
    pay: () => {
      opened.at(-1)?.handler(HANDLER_ANSWER)
    },
    dismiss: () => {
      opened.at(-1)?.modal.ondismiss()
    },
  }
}

const HANDLER_ANSWER = {
  razorpay_payment_id: 'pay_EMUp7Q8r9S0t1U',
  razorpay_order_id: 'order_EMUa1B2c3D4e5F',
  razorpay_signature: 'a'.repeat(64),
}
