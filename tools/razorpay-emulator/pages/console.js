import { element } from '/checkout/panels.js'
import { formatAmount } from '/checkout/methods.js'

const byId = (id) => document.getElementById(id)
const shown = 50
const refreshMs = 2000
let drawn = ''

async function call(path, body, method = body === undefined ? 'GET' : 'POST') {
  const response = await fetch(`/__emu/${path}`, {
    method,
    headers: { 'x-emu-control': 'local', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error.description)
  return answer
}

/** Calls the control API, shows its refusal if there is one, and draws everything anew. */
async function act(path, body = {}, method = 'POST') {
  byId('notice').textContent = ''
  try {
    await call(path, body, method)
  } catch (cause) {
    byId('notice').textContent = cause.message
  }
  await draw()
}

const time = (ms) => new Date(ms).toLocaleString()
const tag = (text) => element('span', { class: 'tag' }, text)
const code = (text) => element('code', {}, text)
const quiet = (text) => element('span', { class: 'quiet' }, text)
const title = (...parts) => element('div', { class: 'title' }, ...parts)
const row = (...parts) => element('div', { class: 'row' }, ...parts)
const card = (...parts) => element('div', { class: 'card' }, ...parts)
const button = (text, onclick) => element('button', { type: 'button', onclick }, text)

function paymentButtons(payment) {
  const { id, status, captured, amount, amount_refunded: refunded } = payment
  const to = (text, path, body) => button(text, () => act(`payments/${id}/${path}`, body))
  const half = { amount: Math.ceil((amount - refunded) / 2) }
  const dispute = (event) => to(`Dispute ${event}`, 'dispute', { event })
  return [
    ...(['created', 'failed'].includes(status) ? [to('Authorise late', 'late_authorize')] : []),
    ...(status === 'authorized'
      ? [to('Capture', 'capture'), to('Refund automatically', 'auto_refund')]
      : []),
    ...(captured && refunded < amount
      ? [to('Refund', 'refund'), to('Refund half', 'refund', half)]
      : []),
    ...(captured ? ['created', 'won', 'lost'].map(dispute) : []),
  ]
}

function refundLine({ id, amount, currency, status }) {
  const parts = [code(id), `refund of ${formatAmount(amount, currency)}`, tag(status)]
  const to = (text, next) => button(text, () => act(`refunds/${id}`, { status: next }))
  return title(
    ...parts,
    ...(status === 'pending' ? [to('Process it', 'processed')] : []),
    ...(['pending', 'processed'].includes(status) ? [to('Fail it', 'failed')] : []),
  )
}

function paymentCard(payment, refunds) {
  const { id, amount, currency, method, status, error_reason: reason } = payment
  const parts = [code(id), formatAmount(amount, currency), tag(method), tag(status), reason ?? '']
  const lines = refunds.filter((refund) => refund.payment_id === id).map(refundLine)
  return card(title(...parts), ...lines, row(...paymentButtons(payment)))
}

function orderButtons({ id, currency }, presets) {
  const pay = (text, method, outcome) =>
    button(text, () => act('payments', { order_id: id, method, outcome }))
  const options = presets.map((name) => element('option', {}, name))
  const picker = element('select', { 'aria-label': `Preset for ${id}` }, ...options)
  return row(
    pay('Pay by card', 'card', 'success'),
    ...(currency === 'INR' ? [pay('Pay by UPI', 'upi', 'success')] : []),
    pay('Decline', 'card', 'failure'),
    pay('Authorise only', 'card', 'authorize_only'),
    picker,
    button('Run', () => act('scenario', { name: picker.value, order_id: id })),
  )
}

const entitiesOf = (records) => Object.values(records).map((record) => record.entity)

function orderCard(order, state, presets) {
  const { id, amount, currency, status, receipt, created_at } = order
  const payments = entitiesOf(state.payments).filter((payment) => payment.order_id === id)
  const refunds = entitiesOf(state.refunds)
  const parts = [code(id), formatAmount(amount, currency), tag(status)]
  return card(
    title(...parts, quiet(receipt ?? 'no receipt'), quiet(time(created_at * 1000))),
    ...(presets ? [orderButtons(order, presets)] : []),
    ...payments.map((payment) => paymentCard(payment, refunds)),
  )
}

function linkCard({ id, short_url, amount, currency, status, reference_id }) {
  const parts = [code(id), formatAmount(amount, currency), tag(status), code(reference_id)]
  return card(title(...parts, element('a', { href: short_url }, short_url)))
}

function faultCard({ id, action, match, fired }) {
  const text = `${JSON.stringify(action)} on ${JSON.stringify(match)}`
  const remove = button('Remove', () => act(`faults/${id}`, {}, 'DELETE'))
  return card(title(code(id), text, tag(`fired ${fired}`), remove))
}

function deliveryRow({ eventId, event, state, attempts }) {
  const last = attempts.at(-1)
  const answer = last ? String(last.status ?? last.error) : ''
  const replay = button('Send again', () => act('webhook/replay', { event_id: eventId }))
  return [code(eventId), event, state, String(attempts.length), answer, replay]
}

function requestRow({ at, method, path, status, fault }) {
  return [time(at), method, code(path), String(status ?? 'dropped'), fault ?? '']
}

function table(heads, rows) {
  if (rows.length === 0) return element('p', { class: 'quiet' }, 'Nothing yet.')
  const line = (kind, cells) => element('tr', {}, ...cells.map((cell) => element(kind, {}, cell)))
  const head = element('thead', {}, line('th', heads))
  const body = element('tbody', {}, ...rows.map((cells) => line('td', cells)))
  return element('div', { class: 'table' }, element('table', {}, head, body))
}

/** Fills a section with its cards. */
function fill(id, cards) {
  byId(id).replaceChildren(...(cards.length > 0 ? cards : [table([], [])]))
}

async function draw() {
  const paths = ['state', 'presets', 'requests', 'webhook/deliveries']
  const [state, presets, requests, hooks] = await Promise.all(paths.map((path) => call(path)))
  byId('clock').textContent = `Clock: ${time(state.clock)}`
  const api = requests.filter(({ path }) => !/^\/(__emu|checkout|cdn|lumberjack|style)/.test(path))
  // Drawing takes the focus away, so it happens only when something has changed.
  const now = JSON.stringify([{ ...state, clock: 0 }, hooks, api.length])
  if (now === drawn) return
  drawn = now
  const newest = (items) => items.toReversed().slice(0, shown)
  byId('warning').textContent = state.warning ?? ''
  fill(
    'orders',
    newest(entitiesOf(state.orders)).map((order) => orderCard(order, state, presets[order.id])),
  )
  fill('links', newest(entitiesOf(state.links)).map(linkCard))
  fill('faults', state.faults.map(faultCard))
  const { url, disabled } = hooks.endpoint
  byId('endpoint').textContent = `${url}${disabled ? ' (switched off)' : ''}`
  const heads = ['Event id', 'Event', 'State', 'Attempts', 'Last answer', 'Action']
  fill('deliveries', [table(heads, newest(hooks.deliveries).map(deliveryRow))])
  const columns = ['At', 'Method', 'Path', 'Status', 'Fault']
  fill('requests', [table(columns, newest(api).map(requestRow))])
}

for (const control of document.querySelectorAll('[data-advance]')) {
  const advanceSeconds = Number(control.dataset.advance)
  control.addEventListener('click', () => act('clock', { advanceSeconds }))
}
byId('enable').addEventListener('click', () => act('webhook/enable'))
byId('clear-faults').addEventListener('click', () => act('faults', {}, 'DELETE'))
byId('reset').addEventListener('click', () => {
  if (confirm('Forget all orders, payments and links?')) void act('reset')
})
byId('add-fault').addEventListener('submit', (event) => {
  event.preventDefault()
  try {
    void act('faults', JSON.parse(new FormData(event.target).get('rule')))
  } catch (cause) {
    byId('notice').textContent = `The rule is not JSON: ${cause.message}`
  }
})

await draw()
setInterval(() => void draw().catch(() => {}), refreshMs)
