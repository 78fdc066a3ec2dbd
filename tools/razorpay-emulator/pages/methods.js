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

function listedInBlocks(display, method) {
  const order = display.sequence ?? []
  return order.some((entry) => {
    const block = entry.startsWith('block.') ? display.blocks?.[entry.slice(6)] : undefined
    if (block) return (block.instruments ?? []).some((one) => one.method === method)
    return entry === method
  })
}

function isHidden(display, method) {
  return (display.hide ?? []).some((entry) => entry.method === method && !entry.flows)
}

/** `hide` does not affect methods that a block lists. Without default blocks only those are shown. */
export function visibleMethods(allowed, display = {}) {
  const onlyBlocks = display.preferences?.show_default_blocks === false
  return allowed.filter((method) => {
    if (listedInBlocks(display, method)) return true
    return !onlyBlocks && !isHidden(display, method)
  })
}

/** Whether the buyer may type a UPI id. Otherwise there is only a code to scan. */
export function allowsCollect(display = {}) {
  return !(display.hide ?? []).some(
    (entry) => entry.method === 'upi' && (entry.flows ?? []).includes('collect'),
  )
}

/** An amount in minor units as people read it; both currencies have two digits. */
export function formatAmount(amount, currency) {
  const locale = currency === 'INR' ? 'en-IN' : 'en-US'
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount / 100)
}
