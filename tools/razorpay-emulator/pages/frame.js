import { formatAmount, nameOf, visibleMethods } from './methods.js'
import * as panels from './panels.js'

const { element } = panels

const byId = (id) => document.getElementById(id)
const pollMs = 400
const query = new URLSearchParams(location.search)
const parentOrigin = query.get('parent') ?? ''
const channel = query.get('channel') ?? ''
const isLocalParent =
  URL.canParse(parentOrigin) &&
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(parentOrigin).hostname)

let options = {}
let order = null
let methods = []
let chosen = null
/** One panel per method, so that it keeps what the buyer typed. */
const methodPanels = new Map()

byId('scrim').dataset.theme = query.get('theme') === 'dark' ? 'dark' : 'light'

/** Sends a message to the page that opened the frame, and to no other. */
function tell(message) {
  if (isLocalParent) parent.postMessage({ ...message, channel }, parentOrigin)
}

/** Asks the emulator. Throws an Error with its words when it refuses. */
async function ask(path, body) {
  const options = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await fetch(`/checkout/api/${path}`, options)
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error?.description ?? 'The emulator did not answer')
  return answer
}

function show(panel) {
  byId('panel').replaceChildren(panel)
  panel.querySelector('input, select, .main')?.focus()
}

function complain(text) {
  byId('notice').textContent = text
}

/** What identifies the order to the emulator, and what the page claims about it. */
function claim() {
  const { key, order_id, amount, currency } = options
  return { key, order_id, amount, currency }
}

async function attempt(work) {
  complain('')
  try {
    await run(await work())
  } catch (cause) {
    complain(cause.message)
  }
}

function pay(instrument) {
  const { prefill = {}, notes, description } = options
  const buyer = { email: prefill.email, notes, description }
  return attempt(() => ask('pay', { ...claim(), instrument, buyer }))
}

/** Does what the emulator answered: asks the buyer another question, or ends the attempt. */
async function run(answer) {
  const { payment_id } = answer
  if (answer.next === 'otp') {
    show(panels.otpPanel((otp) => attempt(() => ask('otp', { payment_id, otp })), showMethods))
  }
  if (answer.next === 'upi') {
    show(panels.qrPanel(() => attempt(() => ask('upi', { payment_id })), showMethods))
  }
  if (answer.next === 'bank') await waitForBank(payment_id)
  if (answer.next === 'steps') for (const step of answer.steps) take(step)
}

async function waitForBank(paymentId) {
  const url = `/bank/${paymentId}`
  let isWaiting = true
  const giveUp = () => {
    isWaiting = false
    showMethods()
  }
  open(url, 'bank', 'popup,width=460,height=560')
  show(panels.waitingPanel(url, giveUp))
  while (isWaiting) {
    await new Promise((done) => setTimeout(done, pollMs))
    const { steps } = await ask(`payment/${paymentId}`)
    if (steps) return run({ next: 'steps', steps })
  }
}

/** Does one step after the bank's answer. Only a failure leaves the window open. */
function take(step) {
  tell(step)
  if (step.type === 'failed') {
    showMethods()
    complain(`${step.error.description} You can try again.`)
  }
}

function createPanel(method) {
  const label = `Pay ${formatAmount(order.amount, order.currency)}`
  if (method === 'card') return panels.cardPanel(pay, label)
  if (method === 'upi') return panels.upiPanel(pay)
  return panels.windowPanel(method, pay, label)
}

function panelOf(method) {
  if (!methodPanels.has(method)) methodPanels.set(method, createPanel(method))
  return methodPanels.get(method)
}

function tabFor(method) {
  const tab = element(
    'button',
    {
      type: 'button',
      role: 'tab',
      'aria-selected': String(method === chosen),
      tabindex: method === chosen ? '0' : '-1',
      onclick: () => choose(method),
    },
    nameOf(method),
  )
  tab.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!by) return
    choose(methods.at((methods.indexOf(method) + by) % methods.length))
    document.querySelector('[role=tab][aria-selected=true]').focus()
  })
  return tab
}

function choose(method) {
  chosen = method
  complain('')
  showMethods()
}

function showMethods() {
  const tabs = element('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Payment method' })
  tabs.append(...methods.map(tabFor))
  const body = element('div', { role: 'tabpanel', 'aria-label': nameOf(chosen) }, panelOf(chosen))
  byId('panel').replaceChildren(tabs, body)
}

function showPresets(names) {
  const run = (name) => attempt(() => ask('preset', { ...claim(), name }))
  const buttons = names.map((name) =>
    element('button', { type: 'button', onclick: () => run(name) }, name),
  )
  byId('presets').replaceChildren(...buttons)
  byId('drawer').hidden = false
}

async function begin(given) {
  options = given
  byId('merchant').textContent = options.name || 'Test merchant'
  byId('description').textContent = options.description ?? ''
  try {
    const opened = await ask('open', claim())
    order = opened.order
    methods = visibleMethods(opened.methods, options.config?.display)
    chosen = methods.includes(options.prefill?.method) ? options.prefill.method : methods[0]
    byId('amount').textContent = formatAmount(order.amount, order.currency)
    showPresets(opened.presets)
    if (chosen) showMethods()
    else complain('Every payment method of this order is hidden.')
    byId('panel').querySelector('[aria-selected=true]')?.focus()
  } catch (cause) {
    byId('panel').replaceChildren()
    complain(cause.message)
  }
}

addEventListener('message', ({ source, origin, data }) => {
  const isParent = isLocalParent && source === parent && origin === parentOrigin
  if (!isParent || data?.channel !== channel) return
  if (data.type === 'options') void begin(data.options)
})
const dismiss = () => tell({ type: 'dismiss' })
byId('close').addEventListener('click', dismiss)
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') dismiss()
})
byId('scrim').inert = false
tell({ type: 'ready' })
