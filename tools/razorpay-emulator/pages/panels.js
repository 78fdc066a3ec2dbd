/** The panels of the checkout window. Each is an element that calls back with what the buyer did. */

/** A DOM element with attributes, listeners (`onclick` and the like) and children. */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value)
    else if (value !== false) node.setAttribute(name, value === true ? '' : value)
  }
  node.append(...children)
  return node
}

function button(text, onclick, kind = 'plain') {
  return element('button', { type: 'button', class: kind, onclick }, text)
}

function field(label, attributes) {
  return element('label', {}, label, element('input', attributes))
}

function choice(label, name, options) {
  const items = options.map(([value, text]) => element('option', { value }, text))
  return element('label', {}, label, element('select', { name }, ...items))
}

function form(children, buttonText, onData) {
  const node = element('form', { novalidate: true }, ...children)
  const submit = element('button', { class: 'main' }, buttonText)
  node.append(submit)
  node.addEventListener('submit', (event) => {
    event.preventDefault()
    submit.disabled = true
    Promise.resolve(onData(Object.fromEntries(new FormData(node)))).finally(() => {
      submit.disabled = false
    })
  })
  return node
}

const hint = (text) => element('p', { class: 'hint' }, text)

export function cardPanel(pay, label) {
  const digits = { inputmode: 'numeric', autocomplete: 'off' }
  const children = [
    field('Card number', { ...digits, name: 'number', value: '4100 2800 0000 1007' }),
    element(
      'div',
      { class: 'pair' },
      field('Expiry', { ...digits, name: 'expiry', value: '12/35' }),
      field('CVV', { ...digits, name: 'cvv', value: '123', maxlength: '4' }),
    ),
    field('Name on card', { name: 'name', value: 'Test Buyer', autocomplete: 'off' }),
    hint('Any card number with a valid check digit works. None is kept.'),
  ]
  return form(children, label, ({ number, expiry }) => pay({ method: 'card', number, expiry }))
}

export function upiPanel(pay) {
  const qr = button('Show QR code', () => pay({ method: 'upi', vpa: null, flow: 'qr' }))
  return element('div', { class: 'stack' }, hint('Scan a code with a UPI app.'), qr)
}

const banks = [
  ['HDFC', 'HDFC Bank'],
  ['ICIC', 'ICICI Bank'],
  ['SBIN', 'State Bank of India'],
]
const wallets = [
  ['airtelmoney', 'Airtel Money'],
  ['mobikwik', 'MobiKwik'],
  ['olamoney', 'Ola Money'],
]

/** Netbanking and wallets: the payment goes on in another window. */
export function windowPanel(method, pay, label) {
  const fields = {
    netbanking: [choice('Bank', 'bank', banks)],
    wallet: [choice('Wallet', 'wallet', wallets)],
  }[method]
  const children = [...fields, hint('The payment goes on in a window of its own.')]
  return form(children, label, (data) => pay({ method, ...data }))
}

export function otpPanel(confirm, goBack) {
  const children = [
    field('One-time password', {
      name: 'otp',
      inputmode: 'numeric',
      autocomplete: 'one-time-code',
      maxlength: '10',
    }),
    hint('Four to ten digits succeed, fewer fail.'),
  ]
  const asked = form(children, 'Confirm', ({ otp }) => confirm(otp))
  return element('div', { class: 'stack' }, asked, wayBack(goBack))
}

const wayBack = (goBack) => button('Choose another method', goBack)

export function qrPanel(approve, goBack) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 7 7')
  svg.setAttribute('class', 'qr')
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', 'A drawing in place of a QR code')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('fill', 'currentColor')
  path.setAttribute(
    'd',
    'M0 0h3v3H0zM4 0h3v3H4zM0 4h3v3H0zM4 4h1v1H4zM6 4h1v1H6zM5 5h1v1H5zM4 6h1v1H4zM6 6h1v1H6z',
  )
  svg.append(path)
  const main = button('Pay as if scanned', approve, 'main')
  const cancel = button('Cancel UPI payment', approve)
  const note = hint('In test mode a UPI payment succeeds also when it is cancelled.')
  return element('div', { class: 'stack' }, svg, main, cancel, note, wayBack(goBack))
}

export function waitingPanel(url, giveUp) {
  const link = element('a', { href: url, target: '_blank', rel: 'opener' }, 'Open the bank page')
  const text = element('p', { role: 'status' }, 'Waiting for your answer on the bank page.')
  const hinted = element('p', { class: 'hint' }, link)
  return element('div', { class: 'stack' }, text, hinted, wayBack(giveUp))
}
