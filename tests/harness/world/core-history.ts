import {
  type At,
  decide,
  moneyOf,
  type PendingRefund,
  quoteOf,
  recompute,
  requestRefund,
  type State,
  taxIn,
  tokensDue,
} from '../../../edge-api/domain/purchase/core.ts'
import {
  type Facts,
  factsOf,
  type PaymentFact,
  type RefundOrDispute,
} from '../../../edge-api/domain/ports/payments.ts'
import { days, minutes } from '../../../edge-api/domain/time.ts'
import { paymentFact, refundFact, sumOf, unpaidState } from './core-state.ts'
import { seeded } from './seeded.ts'

const START = Date.UTC(2026, 10, 18, 12)
const SUPPLIES = ['untaxed', 'intra_state', 'inter_state', 'export'] as const

/** What Razorpay knows of one purchase. */
interface Razorpay {
  payments: PaymentFact[]
  returns: RefundOrDispute[]
  /** Refunds that report the money of a lost dispute once more. */
  twins: Set<string>
  /** Reports that are on their way to us. */
  sent: Facts[]
}

type History = ReturnType<typeof openHistory>

function openHistory(seed: number) {
  const random = seeded(seed)
  const supply = random.pick(SUPPLIES) ?? 'untaxed'
  const isTaxed = supply === 'intra_state' || supply === 'inter_state'
  const currency = random.chance(0.5) ? ('USD' as const) : ('INR' as const)
  const kind = random.chance(0.5) ? ('plan' as const) : ('token_pack' as const)
  const other = { paidAt: START - days(10), endsAt: START + days(355) }
  const razorpay: Razorpay = { payments: [], returns: [], twins: new Set(), sent: [] }
  const steps: string[] = []
  const history = {
    random,
    razorpay,
    sale: { supply, taxRate: isTaxed ? 1_800 : 0 },
    now: START,
    serial: 0,
    decisions: 0,
    steps,
    state: unpaidState({
      kind,
      currency,
      amountMinor: currency === 'USD' ? 3_500 : 299_900,
      createdAt: START,
      hasLink: random.chance(0.4),
      plans: random.chance(0.15) ? [{ ...other, isReversed: random.chance(0.5) }] : [],
    }),
    at: (): At => ({ now: history.now, sale: history.sale }),
    newId: (prefix: string) => `${prefix}_${(history.serial += 1)}`,
    /** Takes the state that a decision made, if everything holds in it. */
    become: (next: State) => {
      assertStep(history.state, next, history.at())
      history.state = next
      history.decisions += 1
    },
    settle: (facts: Facts) => history.become(decide(history.state, facts, history.at())),
  }
  return history
}

const ofPayment = ({ razorpay }: History, id: string) =>
  razorpay.returns.filter(({ paymentId }) => paymentId === id)

/** What went back by refunds that did not fail. */
const refundedOf = (history: History, id: string) =>
  sumOf(
    ofPayment(history, id).filter(
      (one) =>
        one.kind === 'refund' && one.state !== 'undone' && !history.razorpay.twins.has(one.id),
    ),
  )

/** What banks took or hold. */
const takenOf = (history: History, id: string, ...states: RefundOrDispute['state'][]) =>
  sumOf(
    ofPayment(history, id).filter(
      ({ kind, state }) =>
        kind === 'dispute' && (states.length === 0 ? ['open', 'final'] : states).includes(state),
    ),
  )

const leftOf = (history: History, { paymentId, amountMinor }: PaymentFact) =>
  amountMinor - refundedOf(history, paymentId) - takenOf(history, paymentId)

const captured = ({ razorpay }: History) =>
  razorpay.payments.filter(({ status }) => status === 'captured')

/** Razorpay knows this of a payment from now on, and reports it: the payment, and perhaps what changed about it. */
function tell(history: History, payment: PaymentFact, ...changed: RefundOrDispute[]): void {
  const { razorpay, random } = history
  for (const one of changed) {
    razorpay.returns = [...razorpay.returns.filter(({ id }) => id !== one.id), one]
  }
  const { paymentId } = payment
  const amountRefundedMinor = Math.max(payment.amountRefundedMinor, refundedOf(history, paymentId))
  const known = { ...payment, amountRefundedMinor }
  const place = razorpay.payments.findIndex((one) => one.paymentId === paymentId)
  razorpay.payments = razorpay.payments.with(place, known)
  const refundsAndDisputes = random.chance(0.1) ? [] : changed
  razorpay.sent.push(factsOf({ payments: [known], refundsAndDisputes }))
}

function refund(history: History, payment: PaymentFact, amountMinor: number): RefundOrDispute {
  const made = refundFact({
    id: history.newId('rfnd'),
    paymentId: payment.paymentId,
    amountMinor,
    currency: payment.currency,
    state: history.random.chance(0.4) ? 'open' : 'final',
    beganAt: history.now,
    asOf: history.now,
  })
  tell(history, payment, made)
  return made
}

/** All that Razorpay answers when it is asked. */
function everything({ razorpay, state, now }: History): Facts {
  const linkId = state.purchase.razorpayLinkId
  return factsOf({
    payments: razorpay.payments,
    refundsAndDisputes: razorpay.returns.map((one) => ({ ...one, asOf: now })),
    linkOrders: linkId === null ? [] : [{ linkId, razorpayOrderId: 'order_link' }],
  })
}

function pay(history: History): void {
  const { random, state, razorpay } = history
  const { razorpayLinkId: linkId, amountMinor, currency } = state.purchase
  const onLink = linkId !== null && random.chance(0.3)
  const statuses = ['captured', 'captured', 'captured', 'authorized', 'failed', 'created'] as const
  const payment = paymentFact({
    paymentId: history.newId('pay'),
    razorpayOrderId: onLink ? 'order_link' : 'order_1',
    amountMinor: random.chance(0.1) ? random.int(100, 400_000) : amountMinor,
    currency,
    status: random.pick(statuses) ?? 'captured',
    beganAt: random.chance(0.05) ? history.now + days(8) : history.now,
  })
  razorpay.payments.push(payment)
  const linkOrders = onLink ? [{ linkId, razorpayOrderId: 'order_link' }] : []
  razorpay.sent.push(factsOf({ payments: [payment], linkOrders }))
}

function movePayment(history: History): void {
  const { random, razorpay } = history
  const payment = random.pick(razorpay.payments.filter(({ status }) => status !== 'captured'))
  const status = random.pick(['captured', 'authorized', 'failed'] as const) ?? 'failed'
  if (payment) tell(history, { ...payment, status })
}

/** Somebody refunds at Razorpay. */
function refundThere(history: History): void {
  const { random } = history
  const payment = random.pick(captured(history))
  const left = payment ? leftOf(history, payment) : 0
  if (payment && left > 0) refund(history, payment, random.chance(0.4) ? left : random.int(1, left))
}

function moveRefund(history: History): void {
  const { random, razorpay, now } = history
  const moving = razorpay.returns.filter(
    ({ id, kind, state }) => kind === 'refund' && state !== 'undone' && !razorpay.twins.has(id),
  )
  const one = random.pick(moving)
  const payment = razorpay.payments.find(({ paymentId }) => paymentId === one?.paymentId)
  const state = random.chance(0.5) ? ('undone' as const) : ('final' as const)
  if (one && payment) tell(history, payment, { ...one, state, asOf: now })
}

function dispute(history: History): void {
  const { random, now } = history
  const payment = random.pick(captured(history))
  const left = payment ? leftOf(history, payment) : 0
  if (!payment || left <= 0) return
  const made = refundFact({
    id: history.newId('disp'),
    kind: 'dispute',
    paymentId: payment.paymentId,
    amountMinor: random.chance(0.5) ? left : random.int(1, left),
    currency: payment.currency,
    state: random.chance(0.2) ? 'inquiry' : 'open',
    phase: 'chargeback',
    respondBy: now + days(7),
    beganAt: now,
    asOf: now,
  })
  tell(history, payment, made)
}

/** A dispute is lost, won or opened again. Razorpay may report its loss as a refund, too. */
function moveDispute(history: History): void {
  const { random, razorpay, now } = history
  const hasTwin = (id: string) =>
    razorpay.returns.some((one) => razorpay.twins.has(one.id) && one.paymentId === id)
  const moving = razorpay.returns.filter(
    ({ kind, paymentId }) => kind === 'dispute' && !hasTwin(paymentId),
  )
  const one = random.pick(moving)
  const payment = razorpay.payments.find(({ paymentId }) => paymentId === one?.paymentId)
  if (!one || !payment) return
  const state = random.pick(['open', 'final', 'undone'] as const) ?? 'undone'
  const isBack = !['open', 'final'].includes(one.state) && state !== 'undone'
  // A bank takes no more than is left.
  if (isBack && one.amountMinor > leftOf(history, payment)) return
  const moved = { ...one, state, asOf: now }
  tell(history, payment, moved)
  const twin = { ...moved, id: history.newId('rfnd'), kind: 'refund' as const, beganAt: now }
  // Where a refund of ours has the same amount nobody could tell them apart.
  const isUnclear = razorpay.returns.some(
    ({ kind, amountMinor }) => kind === 'refund' && amountMinor === twin.amountMinor,
  )
  if (state !== 'final' || isUnclear || random.chance(0.6)) return
  razorpay.twins.add(twin.id)
  razorpay.returns.push(twin)
  razorpay.sent.push(factsOf({ refundsAndDisputes: [twin] }))
}

function deliver(history: History): void {
  const { random, razorpay } = history
  for (let count = random.int(1, 5); count > 0 && razorpay.sent.length > 0; count -= 1) {
    const place = random.int(0, razorpay.sent.length - 1)
    history.settle(razorpay.sent[place] ?? factsOf({}))
    if (random.chance(0.8)) razorpay.sent.splice(place, 1)
  }
}

function useTokens(history: History): void {
  const { state, random } = history
  if (state.grant === null) return
  const left = state.grant.left - random.int(0, state.grant.left)
  history.state = { ...state, grant: { ...state.grant, left } }
}

/** Razorpay is asked first where its sum is ahead of the refunds that are known here. */
function prepare(history: History): { canRequest: boolean; leftMinor: number } {
  if (quoteOf(history.state).isUnlisted) history.settle(everything(history))
  const { grant, disputes, pendingRefunds, buyer } = history.state
  const { isUnlisted, leftMinor } = quoteOf(history.state)
  const isDisputed = disputes.some(
    ({ paymentId, state }) => paymentId === grant?.paymentId && state === 'open',
  )
  const isRequested = pendingRefunds.some(({ reason }) => reason === 'asked_for')
  const canRequest = !isUnlisted && !isDisputed && !isRequested && !buyer.isDeleted
  return { canRequest: canRequest && grant !== null, leftMinor }
}

function request(history: History): void {
  if (!prepare(history).canRequest) return
  const { tokens, amountMinor } = quoteOf(history.state)
  if (tokens === 0 || amountMinor < 100) return
  history.become(requestRefund(history.state, history.at()))
  must(history.state.grant?.left === 0, 'tokens that are given back are gone', { tokens })
}

/** Rows from before an operator could give only what the formula says: any number for a payment. */
function giveOldGoodwill(history: History): void {
  const { canRequest, leftMinor } = prepare(history)
  const { state, random, now } = history
  if (!canRequest || state.grant === null || leftMinor < 100) return
  const { paymentId } = state.grant
  const own = state.pendingRefunds.filter((one) => one.paymentId === paymentId)
  if (own.some(({ doneAt }) => doneAt === null)) return
  const goodwill: PendingRefund = {
    paymentId,
    number: own.length + 1,
    id: `goodwill-${paymentId}-${own.length + 1}`,
    purchaseId: state.purchase.id,
    reason: 'goodwill',
    amountMinor: random.int(100, leftMinor),
    tokens: 0,
    deducted: moneyOf(state, paymentId).outflows.map(({ id }) => id),
    createdAt: now,
    dueAt: now,
    attempts: 0,
    refundId: null,
    doneAt: null,
    notifiedAt: null,
    endNotifiedAt: null,
  }
  const pendingRefunds = [...state.pendingRefunds, goodwill]
  history.become(recompute({ ...state, pendingRefunds }, history.at()))
}

/** The job that sends pending refunds. Before money leaves it asks for the refunds that Razorpay knows. */
function sendPending(history: History): void {
  const { razorpay, random } = history
  for (const { paymentId, number, dueAt } of history.state.pendingRefunds) {
    const payment = razorpay.payments.find((one) => one.paymentId === paymentId)
    const isDue = dueAt !== null && dueAt <= history.now
    if (!payment || !isDue || takenOf(history, paymentId, 'open') > 0) continue
    const known = ofPayment(history, paymentId).filter(({ kind }) => kind === 'refund')
    history.settle(factsOf({ refundsAndDisputes: known }))
    const { pendingRefunds } = history.state
    const pending = pendingRefunds.find(
      (one) => one.paymentId === paymentId && one.number === number,
    )
    if (pending === undefined || pending.doneAt !== null) continue
    const rest = pending.amountMinor - (moneyOf(history.state, paymentId).covered.get(pending) ?? 0)
    const tried = { ...pending, attempts: pending.attempts + 1 }
    const others = pendingRefunds.map((one) => (one === pending ? tried : one))
    history.state = { ...history.state, pendingRefunds: others }
    const left = leftOf(history, payment)
    const isTaken = takenOf(history, paymentId) > 0
    must(rest <= left || isTaken, 'no more is sent than is left of the payment', { rest, left })
    if (rest <= 0 || rest > left) continue
    const made = refund(history, payment, rest)
    if (random.chance(0.8)) history.settle(factsOf({ refundsAndDisputes: [made] }))
  }
}

const STEPS: Record<string, (history: History) => void> = {
  pay,
  movePayment,
  refundThere,
  moveRefund,
  dispute,
  moveDispute,
  deliver,
  lose: ({ razorpay, random }) => void razorpay.sent.splice(0, random.int(0, 2)),
  ask: (history) => history.settle(everything(history)),
  useTokens,
  request,
  giveOldGoodwill,
  sendPending,
  deleteAccount: (history) => {
    const { state, random } = history
    if (random.chance(0.3)) history.state = { ...state, buyer: { ...state.buyer, isDeleted: true } }
  },
  /** Another plan of the buyer is reversed, or counts again. */
  turnPlan: (history) => {
    const { buyer } = history.state
    const plans = buyer.plans.map((plan) => ({ ...plan, isReversed: !plan.isReversed }))
    history.state = { ...history.state, buyer: { ...buyer, plans } }
  },
  wait: (history) => {
    history.now += history.random.pick([minutes(1), minutes(10), days(1), days(5)]) ?? 0
  },
}

const OFTEN = ['pay', 'pay', 'deliver', 'deliver', 'deliver', 'refundThere', 'sendPending']
const CHOICES = [...OFTEN, ...Object.keys(STEPS)]

/**
 * Plays the history of a seed: payments, refunds and disputes that Razorpay reports in any order, twice or not at all, uses of
 * tokens, requests, jobs. After each decision everything must hold that `assertStep` says; at the end the state is compared
 * with what Razorpay knows. Returns how many decisions were made. Throws an error whose first line says what broke.
 */
export function playCoreHistory(seed: number): number {
  const history = openHistory(seed)
  try {
    for (let count = history.random.int(8, 30); count > 0; count -= 1) {
      const name = history.random.pick(CHOICES) ?? 'wait'
      history.steps.push(name)
      STEPS[name]?.(history)
      history.now += history.random.int(1, 2_000)
    }
    endHistory(history)
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error)
    throw new Error(`${what}\nhistory ${seed}: ${history.steps.join(', ')}`, { cause: error })
  }
  return history.decisions
}

/** Everything is reported in the end, and the jobs run for a while. */
function endHistory(history: History): void {
  const { razorpay, random } = history
  history.steps.push('end')
  while (razorpay.sent.length > 0) {
    const [facts] = razorpay.sent.splice(random.int(0, razorpay.sent.length - 1), 1)
    history.settle(facts ?? factsOf({}))
  }
  for (let round = 0; round < 6; round += 1) {
    history.now += days(3)
    history.settle(everything(history))
    sendPending(history)
    razorpay.returns = razorpay.returns.map((one) =>
      one.kind === 'refund' && one.state === 'open' ? { ...one, state: 'final' } : one,
    )
  }
  history.settle(everything(history))
  for (const payment of razorpay.payments) assertPaymentIsKnown(history, payment)
  assertEnd(history)
}

/** Throws an error that says the rule and the amounts. */
function must(holds: boolean, rule: string, amounts: object = {}): asserts holds {
  if (!holds) throw new Error(`broken: ${rule}. ${JSON.stringify(amounts)}`)
}

/** What holds after every decision. */
function assertStep(before: State, after: State, at: At): void {
  assertKept(before, after)
  if (before.grant === null && after.grant !== null) assertGranted(before, after, at)
  for (const payment of after.payments) {
    if (payment.status === 'captured') assertAccounted(after, payment)
  }
  assertTokens(after)
  const again = decide(after, factsOf({}), at)
  must(again === after, 'deciding again without news gives the very same state', {
    differs: Object.keys(after).filter(
      (name) => Reflect.get(after, name) !== Reflect.get(again, name),
    ),
  })
}

/** Nothing that was granted, issued or promised is changed or forgotten, and what Razorpay said only moves forward. */
function assertKept(before: State, after: State): void {
  const { grant, receipt, creditNotes, payments, refunds, pendingRefunds } = after
  if (before.grant !== null) {
    const { paymentId, tokens } = before.grant
    const isSame = grant?.paymentId === paymentId && grant.tokens === tokens
    must(isSame, 'a purchase is granted once', { before: before.grant, after: grant })
  }
  must(before.receipt === null || receipt === before.receipt, 'a receipt stays as it was issued')
  const isAdded = before.creditNotes.every((note, place) => creditNotes[place] === note)
  must(isAdded, 'credit notes are only added', { before: before.creditNotes, after: creditNotes })
  const noted = creditNotes.slice(before.creditNotes.length)
  for (const { refundId, amountMinor } of noted) {
    const state = refunds.find(({ id }) => id === refundId)?.state
    must(state === 'final', 'a credit note is of a completed refund', {
      refundId,
      amountMinor,
      state,
    })
  }
  for (const old of before.payments) {
    const now = payments.find(({ id }) => id === old.id)
    const steps = ['created', 'failed', 'authorized', 'captured']
    const isForward =
      now !== undefined &&
      steps.indexOf(now.status) >= steps.indexOf(old.status) &&
      now.amountRefundedMinor >= old.amountRefundedMinor
    must(isForward, 'a payment only moves forward', { before: old, after: now })
  }
  for (const old of before.refunds) {
    const now = refunds.find(({ id }) => id === old.id)
    const steps = ['open', 'final', 'undone']
    const isForward = now !== undefined && steps.indexOf(now.state) >= steps.indexOf(old.state)
    must(isForward, 'a refund only moves forward', { before: old.state, after: now?.state })
  }
  for (const { paymentId, number, amountMinor, reason } of before.pendingRefunds) {
    const now = pendingRefunds.find((one) => one.paymentId === paymentId && one.number === number)
    const isSame = now?.amountMinor === amountMinor && now.reason === reason
    must(isSame, 'what is to be refunded stays', { amountMinor, after: now?.amountMinor })
  }
}

function assertGranted({ buyer, pendingRefunds }: State, after: State, at: At): void {
  const { grant, purchase, payments } = after
  must(!buyer.isDeleted, 'a deleted account is granted nothing')
  const [other] = buyer.plans
  const isActive = other !== undefined && !other.isReversed && other.endsAt > at.now
  must(purchase.kind !== 'plan' || !isActive, 'there is one active plan at a time')
  must(purchase.kind === 'plan' || other?.isReversed !== true, 'a pack needs its plan')
  const pending = pendingRefunds.find(({ paymentId }) => paymentId === grant?.paymentId)
  must(pending === undefined, 'money that is to be refunded grants nothing', { pending })
  const payment = payments.find(({ id }) => id === grant?.paymentId)
  const isMatch =
    payment?.status === 'captured' &&
    payment.amountMinor === purchase.amountMinor &&
    payment.conflictAt === null
  must(isMatch, 'tokens are for captured money of that price', {
    payment,
    price: purchase.amountMinor,
  })
  const age = (payment.beganAt ?? 0) - purchase.createdAt
  must(age <= days(7), 'money for an order of more than seven days grants nothing', { age })
}

/** Captured money has tokens, or is to be refunded. */
function assertAccounted(state: State, { id, amountMinor }: State['payments'][number]): void {
  const { grant, pendingRefunds } = state
  const whole = pendingRefunds.filter(({ paymentId, number }) => paymentId === id && number === 0)
  const isGrant = grant?.paymentId === id
  const extra = sumOf(whole)
  must(extra === (isGrant ? 0 : amountMinor), 'captured money has tokens, or is refunded whole', {
    amountMinor,
    extra,
    isGrant,
  })
  const { covered, refunded, lost, pending } = moneyOf(state, id)
  const back = refunded + lost
  const total = [...covered.values()].reduce((sum, part) => sum + part, 0)
  must(total <= back, 'only money that was returned pays a pending refund', { total, back })
  const promised = [...covered.keys()].reduce((sum, one) => sum + one.amountMinor, 0)
  must(promised <= amountMinor, 'no more is promised than was paid', { promised, amountMinor })
  must(pending === promised - total, 'what is pending is what was not returned', { pending, total })
  for (const [{ doneAt, dueAt, reason, amountMinor: whole }, part] of covered) {
    const amounts = { reason, amountMinor: whole, part, doneAt, dueAt }
    must(part >= 0 && part <= whole, 'a pending refund is paid once', amounts)
    must(
      (doneAt !== null) === (part === whole),
      'a pending refund is done when it is paid',
      amounts,
    )
    const isOver = doneAt !== null || reason === 'mismatch'
    must((dueAt === null) === isOver, 'a pending refund is due until it is done', amounts)
  }
}

function assertTokens(state: State): void {
  const { grant, purchase } = state
  if (grant === null) return
  const due = tokensDue(state)
  const { tokens, reversed, left } = grant
  const amounts = { tokens, reversed, left, due }
  must(left >= 0 && reversed >= 0 && reversed + left <= tokens, 'no tokens are below zero', amounts)
  must(reversed <= due, 'no more is reversed than is due', amounts)
  must(reversed === due || left === 0, 'what is due is reversed while it is there', amounts)
  const isOwn = ({ paymentId }: { paymentId: string }) => paymentId === grant.paymentId
  const refunds = state.refunds.filter(isOwn)
  const disputes = state.disputes.filter(isOwn)
  const isPlain =
    !state.pendingRefunds.some(isOwn) &&
    refunds.every((refund) => refund.state !== 'undone') &&
    (disputes.length === 0 || refunds.length === 0)
  if (!isPlain) return
  const known = state.payments.find(({ id }) => id === grant.paymentId)?.amountRefundedMinor ?? 0
  const taken = disputes.filter((one) => one.state === 'open' || one.state === 'final')
  const back = Math.min(Math.max(sumOf(refunds), known) + sumOf(taken), purchase.amountMinor)
  const share = Math.floor((tokens * back) / purchase.amountMinor)
  must(due === share, 'tokens follow the share of the money', { due, share, back })
}

/** Everything that Razorpay knows of a payment is known here, and nothing was sent twice. */
function assertPaymentIsKnown(history: History, payment: PaymentFact): void {
  const { state } = history
  const { paymentId: id, amountMinor } = payment
  must(
    state.payments.some((one) => one.id === id),
    'every payment is known',
    { payment },
  )
  const refunded = refundedOf(history, id)
  const lost = takenOf(history, id, 'final')
  const back = refunded + lost
  must(back <= amountMinor, 'no more is returned than was paid', { refunded, lost, amountMinor })
  for (const there of ofPayment(history, id)) {
    const here = [...state.refunds, ...state.disputes].find((one) => one.id === there.id)
    const isSame = here?.state === there.state && here.amountMinor === there.amountMinor
    must(isSame, 'what Razorpay knows is known here', { there, here })
  }
  if (takenOf(history, id, 'open') > 0) return
  for (const { paymentId, reason, doneAt, amountMinor: pending } of state.pendingRefunds) {
    if (paymentId !== id || reason === 'mismatch') continue
    const isSent = doneAt !== null || back >= amountMinor
    must(isSent, 'a pending refund is sent in the end', { reason, pending, refunded, lost })
  }
}

/** In the end tokens, status and credit notes follow from the sums at Razorpay. */
function assertEnd(history: History): void {
  const { state, razorpay, sale } = history
  const { grant, purchase, creditNotes, receipt } = state
  if (grant === null) return
  const id = grant.paymentId
  const [refunded, lost] = [refundedOf(history, id), takenOf(history, id, 'final')]
  const gone = refunded + takenOf(history, id)
  const own = state.pendingRefunds.filter(({ paymentId }) => paymentId === id)
  const requested = own.filter(({ reason }) => reason === 'asked_for')
  const price = purchase.amountMinor
  if (own.every(({ doneAt }) => doneAt !== null)) {
    const givenBack = requested.reduce((sum, { tokens }) => sum + tokens, 0)
    const share = Math.floor((grant.tokens * Math.max(0, gone - sumOf(requested))) / price)
    const due = gone >= price ? grant.tokens : Math.min(grant.tokens, givenBack + share)
    const now = tokensDue(state)
    must(now === due, 'in the end tokens follow the money', { now, due, gone, price })
  }
  const isBack = refunded + lost >= price || requested.some(({ doneAt }) => doneAt !== null)
  const expected = isBack ? 'refunded' : 'paid'
  must(purchase.status === expected, 'the status is that of the money', {
    status: purchase.status,
    refunded,
    lost,
    price,
  })
  if (receipt === null) return
  const completed = sumOf(
    razorpay.returns.filter(
      (one) => one.paymentId === id && one.kind === 'refund' && one.state === 'final',
    ),
  )
  const noted = sumOf(creditNotes)
  must(noted >= completed, 'each completed refund has a credit note', { noted, completed })
  const hasFailed = razorpay.returns.some((one) => one.kind === 'refund' && one.state === 'undone')
  must(hasFailed || noted === completed, 'notes are of what was refunded', { noted, completed })
  const tax = taxIn(noted, sale)
  for (const part of ['cgstMinor', 'sgstMinor', 'igstMinor'] as const) {
    const returned = creditNotes.reduce((sum, note) => sum + note[part], 0)
    must(returned === tax[part], 'notes return the tax of their money', { part, returned, tax })
  }
}
