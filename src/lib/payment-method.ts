/** Razorpay's payment methods whose name is not the capitalised method. */
const NAMES: Readonly<Record<string, string>> = {
  upi: 'UPI',
  emi: 'EMI',
  cardless_emi: 'Cardless EMI',
  paylater: 'Pay later',
  paypal: 'PayPal',
  cod: 'Cash on delivery',
}

/** The display name of a payment method: `card` is "Card", `bank_transfer` is "Bank transfer". */
export function paymentMethodName(method: string): string {
  const words = method.replaceAll('_', ' ')
  return NAMES[method] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
