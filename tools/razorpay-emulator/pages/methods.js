/** Which methods the window shows: those that the order allows and the page does not hide. */

const names = {
  card: 'Card',
  upi: 'UPI',
  netbanking: 'Netbanking',
  wallet: 'Wallet',
}

export function nameOf(method) {
  return names[method] ?? method
}

/** An entry of `hide` with `flows` hides only these ways of a method. */
export function visibleMethods(allowed, { hide = [] } = {}) {
  return allowed.filter((name) => !hide.some(({ method, flows }) => method === name && !flows))
}

/** An amount in minor units as people read it; both currencies have two digits. */
export function formatAmount(amount, currency) {
  const locale = currency === 'INR' ? 'en-IN' : 'en-US'
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount / 100)
}
