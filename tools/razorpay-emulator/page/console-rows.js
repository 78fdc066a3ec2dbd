import { element } from '/checkout/frame/element.js'
import { formatAmount } from '/checkout/frame/methods.js'

/** How the console draws each kind of thing. `act(path, body)` calls the control API and draws anew. */

const time = (seconds) => new Date(seconds * 1000).toLocaleString()
const tag = (text) => element('span', { class: 'tag' }, text)
const code = (text) => element('code', {}, text)

function button(text, onclick) {
  return element('button', { type: 'button', onclick }, text)
}

function title(...parts) {
  return element('div', { class: 'title' }, ...parts)
}

function paymentCard(payment, refunds, act) {
  const { id, status, captured } = payment
  const buttons = []
  const to = (path) => `payments/${id}/${path}`
  if (status === 'created' || status === 'failed') {
    buttons.push(button('Authorise late', () => act(to('late_authorize'))))
  }
  if (status === 'authorized') {
    buttons.push(button('Capture', () => act(to('capture'))))
    buttons.push(button('Refund by itself', () => act(to('auto_refund'))))
  }
  if (captured && payment.amount_refunded < payment.amount) {
    const left = payment.amount - payment.amount_refunded
    const half = { amount: Math.ceil(left / 2) }
    buttons.push(button('Refund', () => act(to('refund'), {})))
    buttons.push(button('Refund half', () => act(to('refund'), half)))
  }
  if (captured) {
    for (const phase of ['created', 'won', 'lost']) {
      buttons.push(button(`Dispute ${phase}`, () => act(to('dispute'), { phase })))
    }
  }
  const given = refunds.map((refund) => {
    const amount = formatAmount(refund.amount, refund.currency)
    const fail = button('Fail it', () => act(`refunds/${refund.id}/fail`))
    const parts = [code(refund.id), `refund of ${amount}`, tag(refund.status)]
    return title(...parts, ...(refund.status === 'failed' ? [] : [fail]))
  })
  const amount = formatAmount(payment.amount, payment.currency)
  const reason = payment.error_reason ? [payment.error_reason] : []
  return element(
    'div',
    { class: 'card' },
    title(code(id), amount, tag(payment.method), tag(status), ...reason),
    ...given,
    element('div', { class: 'row' }, ...buttons),
  )
}

export function orderCard(order, state, presets, act) {
  const { id, currency } = order.entity
  const payments = Object.values(state.payments).filter((one) => one.entity.order_id === id)
  const refundsOf = (payment) =>
    Object.values(state.refunds)
      .map((one) => one.entity)
      .filter((one) => one.payment_id === payment.id)
  const pay = (method, outcome) => act('payments', { order_id: id, method, outcome })
  const local = currency === 'INR' ? [button('Pay by UPI', () => pay('upi', 'success'))] : []
  const picker = element(
    'select',
    { 'aria-label': `Outcome for ${id}` },
    ...presets.map((name) => element('option', {}, name)),
  )
  const run = button('Run', () => act('scenario', { name: picker.value, order_id: id }))
  const actions = element(
    'div',
    { class: 'row' },
    button('Pay by card', () => pay('card', 'success')),
    ...local,
    button('Decline', () => pay('card', 'failure')),
    button('Authorise only', () => pay('card', 'authorize_only')),
    picker,
    run,
  )
  return element(
    'div',
    { class: 'card' },
    title(
      code(id),
      formatAmount(order.entity.amount, currency),
      tag(order.entity.status),
      element('span', { class: 'quiet' }, order.entity.receipt ?? 'no receipt'),
      element('span', { class: 'quiet' }, time(order.entity.created_at)),
    ),
    ...(order.entity.status === 'paid' ? [] : [actions]),
    ...payments.map((one) => paymentCard(one.entity, refundsOf(one.entity), act)),
  )
}

export function linkCard({ entity }) {
  const { id, short_url, amount, currency, status, reference_id } = entity
  const parts = [code(id), formatAmount(amount, currency), tag(status), code(reference_id)]
  return element(
    'div',
    { class: 'card' },
    title(...parts, element('a', { href: short_url }, short_url)),
  )
}

export function faultCard(rule, remove) {
  const { id, action, match, fired } = rule
  const text = `${JSON.stringify(action)} on ${JSON.stringify(match)}`
  const parts = [code(id), text, tag(`fired ${fired}`), button('Remove', () => remove(id))]
  return element('div', { class: 'card' }, title(...parts))
}

export function table(heads, rows) {
  if (rows.length === 0) return element('p', { class: 'quiet' }, 'Nothing yet.')
  const cells = (row) => row.map((cell) => element('td', {}, cell))
  return element(
    'div',
    { class: 'table' },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...heads.map((head) => element('th', {}, head)))),
      element('tbody', {}, ...rows.map((row) => element('tr', {}, ...cells(row)))),
    ),
  )
}

export function deliveryRow(delivery, act) {
  const last = delivery.attempts.at(-1)
  const answer = last ? String(last.status ?? last.error) : ''
  const replay = button('Send again', () => act('webhook/replay', { event_id: delivery.eventId }))
  const tries = String(delivery.attempts.length)
  return [code(delivery.eventId), delivery.event, delivery.state, tries, answer, replay]
}

export function requestRow(entry) {
  const at = time(entry.at / 1000)
  return [at, entry.method, code(entry.path), String(entry.status ?? 'dropped'), entry.fault ?? '']
}
