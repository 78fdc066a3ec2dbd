import { deliveryRow, faultCard, linkCard, orderCard, requestRow, table } from '/__emu/ui/rows.js'

const byId = (id) => document.getElementById(id)
const token = document.querySelector('meta[name=control-token]').content
const shown = 50
const refreshMs = 2000
let drawn = ''

async function call(path, body, method = body === undefined ? 'GET' : 'POST') {
  const response = await fetch(`/__emu/${path}`, {
    method,
    headers: { 'x-emu-control': token, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error.description)
  return answer
}

async function act(path, body = {}, method = 'POST') {
  byId('notice').textContent = ''
  try {
    await call(path, body, method)
  } catch (cause) {
    byId('notice').textContent = cause.message
  }
  await draw()
}

function fill(id, children) {
  byId(id).replaceChildren(...children)
}

async function draw() {
  const [state, presets, requests, hooks] = await Promise.all(
    ['state', 'presets', 'requests', 'webhook/deliveries'].map((path) => call(path)),
  )
  byId('clock').textContent = `Clock: ${new Date(state.clock).toLocaleString()}`
  const api = requests.filter((entry) => !/^\/(__emu|checkout|cdn|lumberjack)/.test(entry.path))
  // Drawing anew takes the focus away, so it is done only when something has changed.
  const { clock: _, ...rest } = state
  const now = JSON.stringify([rest, hooks, api.length])
  if (now === drawn) return
  drawn = now
  const newest = (items) => Object.values(items).reverse().slice(0, shown)
  const orders = newest(state.orders).map((order) => orderCard(order, state, presets, act))
  fill('orders', orders.length ? orders : [table([], [])])
  const links = newest(state.links).map(linkCard)
  fill('links', links.length ? links : [table([], [])])
  const { url, disabled } = hooks.endpoint
  byId('endpoint').textContent = `${url}${disabled ? ' (switched off)' : ''}`
  const heads = ['Event id', 'Event', 'State', 'Attempts', 'Last answer', 'Action']
  const rows = newest(hooks.deliveries).map((delivery) => deliveryRow(delivery, act))
  fill('deliveries', [table(heads, rows)])
  const remove = (id) => act(`faults/${id}`, {}, 'DELETE')
  fill(
    'faults',
    state.faults.map((rule) => faultCard(rule, remove)),
  )
  const lines = api.slice(-shown).reverse().map(requestRow)
  fill('requests', [table(['At', 'Method', 'Path', 'Status', 'Fault'], lines)])
}

for (const button of document.querySelectorAll('[data-advance]')) {
  const advanceSeconds = Number(button.dataset.advance)
  button.addEventListener('click', () => act('clock', { advanceSeconds }))
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
