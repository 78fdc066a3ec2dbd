import { ask, listen, tell, theme } from './frame/bridge.js'
import { allowsCollect, formatAmount, nameOf, visibleMethods } from './frame/methods.js'
import { element } from './frame/element.js'
import * as panels from './frame/panels.js'

const byId = (id) => document.getElementById(id)
const pollMs = 400

let options = {}
let order = null
let methods = []
let chosen = null

document.documentElement.dataset.theme = theme

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
  const { email, contact } = prefill
  const buyer = { email, contact, notes, description }
  return attempt(() => ask('pay', { ...claim(), instrument, buyer }))
}

/** Goes on as the emulator says: another question to the buyer, or the end of the attempt. */
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

/** One thing to do after the bank's answer; only a failure leaves the window open. */
function take(step) {
  tell(step)
  if (step.type === 'note') complain(step.text)
  if (step.type === 'failed') {
    showMethods()
    complain(`${step.error.description} You can try again.`)
  }
}

function panelOf(method) {
  const label = `Pay ${formatAmount(order.amount, order.currency)}`
  if (method === 'card') return panels.cardPanel(pay, label)
  if (method === 'upi') return panels.upiPanel(pay, label, allowsCollect(options.config?.display))
  if (method === 'netbanking') return panels.bankPanel(pay, label)
  if (method === 'wallet') return panels.walletPanel(pay, label)
  return panels.paypalPanel(pay, label)
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
  const panel = element('div', {}, tabs, body)
  byId('panel').replaceChildren(panel)
}

function confirmClose() {
  show(panels.confirmPanel(() => tell({ type: 'dismiss' }), showMethods))
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

listen((message) => {
  if (message.type === 'options') void begin(message.options)
  if (message.type === 'confirm-close') confirmClose()
})
byId('close').addEventListener('click', () => tell({ type: 'ask-close' }))
byId('scrim').addEventListener('click', (event) => {
  if (event.target === byId('scrim')) tell({ type: 'backdrop' })
})
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') tell({ type: 'escape' })
})
tell({ type: 'ready' })
