import { expect, test } from 'vitest'
import {
  disputeFact,
  paymentFact,
  refundFact,
  sumOf,
  unpaidState,
} from '#harness/fixture/core-state.ts'
import { formatMoney } from '../format-money.ts'
import {
  type DisputeFact,
  type Facts,
  factsOf,
  type PaymentFact,
  type RefundFact,
} from '../ports/payments.ts'
import { days, hours, minutes } from '../time.ts'
import { alertOperator, bellEntries, newsOf } from './notify.ts'
import { taxIn } from './core/credit-notes.ts'
import { decide, quoteOf, requestRefund, tokensDue } from './core/decide.ts'
import type { At, Plan, State } from './core/state.ts'

// A plan of ₹2,999.00 (299,900 paise) with 1,000,000 tokens: each row is a rule, what happens, and what follows.

/** What Razorpay reports, or what else happens. One each second, unless it says when. */
type Step =
  (Partial<Facts> & { now?: number; isReconcile?: boolean }) | ((state: State, at: At) => State)

const at = (now: number): At => ({ now, sale: { supply: 'intra_state', taxRate: 1_800 } })

function play(steps: readonly Step[], begin: State = unpaidState()) {
  const alerts: string[] = []
  const bell: string[] = []
  const state = steps.reduce((before, step, place) => {
    if (typeof step === 'function') return step(before, at(1_000 * (place + 1)))
    const { now = 1_000 * (place + 1), isReconcile, ...parts } = step
    const after = decide(before, factsOf(parts), { ...at(now), isReconcile })
    const alert = (event: string, { amount = '', reason, state: step = reason ?? '' }: Said = {}) =>
      void alerts.push([event, amount, step].filter(Boolean).join(', '))
    const news = newsOf(before, after)
    alertOperator({ log: { alert } }, after, news)
    for (const { kind, detail } of bellEntries(after, news))
      bell.push([kind, detail['step']].filter(Boolean).join(' '))
    return after
  }, begin)
  return { state, alerts, bell }
}

type Said = Record<string, unknown> & { amount?: unknown; reason?: unknown; state?: unknown }

/** What a table compares. */
function shown({ state, alerts, bell }: ReturnType<typeof play>) {
  const { purchase, grant, receipt, pendingRefunds, creditNotes, payments } = state
  const inWords = ({ amountMinor, state: step }: { amountMinor: number; state: string }) =>
    `${amountMinor} ${step}`
  return {
    alerts,
    bell,
    status: purchase.status,
    isReversed: purchase.reversedAt !== null,
    reversedAt: purchase.reversedAt,
    nextCheckAt: purchase.nextCheckAt,
    orders: [purchase.razorpayOrderId, purchase.razorpayLinkOrderId],
    grantedFor: grant && grant.paymentId,
    left: grant && grant.left,
    reversed: grant && grant.reversed,
    /** Tokens that are due back and were used. */
    missing: grant && tokensDue(state) - grant.reversed,
    pending: pendingRefunds.map(({ reason, amountMinor, paymentId, dueAt, doneAt }) => {
      const when = dueAt === null ? 'by hand' : `due ${dueAt}`
      return `${reason} ${amountMinor} of ${paymentId}, ${doneAt === null ? when : 'done'}`
    }),
    refundIds: pendingRefunds.map(({ refundId }) => refundId),
    receiptTax: receipt && receipt.cgstMinor + receipt.sgstMinor,
    notes: creditNotes.map(({ amountMinor }) => amountMinor),
    notesTax: creditNotes.map(({ cgstMinor }) => cgstMinor),
    refunded: payments.map(({ refundedMinor }) => refundedMinor),
    conflicts: payments.filter(({ conflictAt }) => conflictAt !== null).length,
    refunds: state.refunds.map(inWords),
    disputes: state.disputes.map(inWords),
  }
}

const pay = (parts: Partial<PaymentFact> = {}) => ({ payments: [paymentFact(parts)] })
const paid = pay()
const second = pay({ paymentId: 'pay_2' })
const authorized = pay({ status: 'authorized' })
const refunded = (amountMinor: number, parts: Partial<RefundFact> = {}) => ({
  refunds: [refundFact({ amountMinor, ...parts })],
})
const disputed = (amountMinor: number, parts: Partial<DisputeFact> = {}) => ({
  disputes: [disputeFact({ amountMinor, ...parts })],
})
const refundedSecond = (amountMinor: number, parts: Partial<RefundFact> = {}) =>
  refunded(amountMinor, { paymentId: 'pay_2', ...parts })

const use =
  (tokens: number): Step =>
  (state) => ({
    ...state,
    grant: state.grant && { ...state.grant, left: state.grant.left - tokens },
  })
const checkAt =
  (nextCheckAt: number): Step =>
  (state) => ({ ...state, purchase: { ...state.purchase, nextCheckAt } })
const deleted: Step = (state) => ({ ...state, buyer: { ...state.buyer, isDeleted: true } })
/** The job tried to send the refunds so often. */
const tried =
  (attempts: number): Step =>
  (state) => ({
    ...state,
    pendingRefunds: state.pendingRefunds.map((one) => ({ ...one, attempts })),
  })

const another = (parts: Partial<Plan>) => [
  { paidAt: 0, endsAt: days(365), isReversed: false, ...parts },
]
const boughtWith = (kind: 'plan' | 'token_pack', plans: readonly Plan[]) =>
  unpaidState({ kind, plans })
const withColumns = (columns: Partial<State['purchase']>, state = unpaidState()) => ({
  ...state,
  purchase: { ...state.purchase, ...columns },
})
const withoutOrder = withColumns({ razorpayOrderId: null })
const linked = withColumns({ linkExpiresAt: hours(24) }, unpaidState({ hasLink: true }))
const unchecked: Step = (state) => withColumns({ nextCheckAt: null }, state)
const checkedByJob = (now: number): Step => ({ now, isReconcile: true })

type Rules = Record<string, Row>
type Row = [steps: Step[], expected: Partial<ReturnType<typeof shown>>, begin?: State]

const contradicting = (change: Partial<PaymentFact>): Row => [
  [authorized, pay(change), pay(change), paid],
  {
    ...{ status: 'review', left: null, conflicts: 1 },
    pending: ['mismatch 299900 of pay_1, by hand'],
    alerts: expect.arrayContaining(['a payment contradicts itself']),
  },
]

const GRANTS: Rules = {
  'captured money of that price is paid': [
    [paid],
    { status: 'paid', left: 1_000_000, pending: [] },
  ],
  'the same report again changes nothing, and notifies nobody': [[paid, paid], { bell: ['paid'] }],
  'an authorized payment stays authorized, though a report says that it failed': [
    [authorized, pay({ status: 'failed' })],
    { status: 'authorized' },
  ],
  'of two payments of 299,900 in one report, the first brings the tokens': [
    [{ payments: [...second.payments, ...paid.payments] }],
    { grantedFor: 'pay_1', pending: ['excess 299900 of pay_2, due 1000'] },
  ],
  'a second payment of 299,900 is refunded whole': [
    [paid, second],
    {
      status: 'paid',
      pending: ['excess 299900 of pay_2, due 2000'],
      alerts: ['captured money is owed back, INR 2999.00, excess'],
    },
  ],
  'a second payment that is only authorized is not refunded, but once it is captured': [
    [paid, pay({ paymentId: 'pay_2', status: 'authorized' }), second, second],
    { pending: ['excess 299900 of pay_2, due 3000'] },
  ],
  'another amount, 100, brings nothing, and a person refunds it': [
    [pay({ amountMinor: 100 })],
    {
      status: 'review',
      left: null,
      pending: ['mismatch 100 of pay_1, by hand'],
      alerts: ['captured money is owed back, INR 1.00, mismatch'],
    },
  ],
  'another currency, 299,900 cents, brings nothing, and a person refunds it': [
    [pay({ currency: 'USD' })],
    { status: 'review', pending: ['mismatch 299900 of pay_1, by hand'] },
  ],
  'a stored payment on an order of no purchase brings nothing': [
    [
      (state) => ({
        ...state,
        payments: play([paid]).state.payments.map((one) => ({
          ...one,
          razorpayOrderId: 'order_9',
        })),
      }),
      {},
    ],
    { status: 'review', pending: ['mismatch 299900 of pay_1, by hand'] },
  ],
  'a payment that began on the last instant of seven days counts, though we learn of it after ten':
    [[{ ...pay({ beganAt: days(7) }), now: days(10) }], { status: 'paid' }],
  'a payment that began a millisecond after seven days is late, and refunded whole': [
    [pay({ beganAt: days(7) + 1 })],
    { status: 'review', pending: ['late 299900 of pay_1, due 1000'] },
  ],
  'money for a deleted account is refunded whole': [
    [deleted, paid],
    { status: 'review', pending: ['deleted_account 299900 of pay_1, due 2000'] },
  ],
  'extra money stays extra after the account was deleted': [
    [paid, deleted, second],
    { status: 'paid', pending: ['excess 299900 of pay_2, due 3000'] },
  ],
  'a second plan while one is active is refunded whole': [
    [paid],
    { left: null, pending: ['excess 299900 of pay_1, due 1000'] },
    boughtWith('plan', another({ endsAt: 1_001 })),
  ],
  'money that is to be refunded grants nothing any more, also when that plan is reversed': [
    [
      paid,
      (state) => ({ ...state, buyer: { ...state.buyer, plans: another({ isReversed: true }) } }),
      {},
    ],
    { left: null, pending: ['excess 299900 of pay_1, due 1000'] },
    boughtWith('plan', another({})),
  ],
  'a plan is not active any more at the instant of its end': [
    [paid],
    { status: 'paid', pending: [] },
    boughtWith('plan', another({ endsAt: 1_000 })),
  ],
  'a plan after one that was reversed is granted': [
    [paid],
    { status: 'paid' },
    boughtWith('plan', another({ isReversed: true })),
  ],
  'a pack whose plan was reversed is refunded whole': [
    [paid],
    { pending: ['excess 299900 of pay_1, due 1000'] },
    boughtWith('token_pack', another({ isReversed: true })),
  ],
  'a pack whose plan was reversed is refunded whole, also beside an older plan that ended': [
    [paid],
    { pending: ['excess 299900 of pay_1, due 1000'] },
    boughtWith('token_pack', [
      ...another({ paidAt: -2, endsAt: -1 }),
      ...another({ isReversed: true }),
    ]),
  ],
  'a pack is granted with its plan': [
    [paid],
    { status: 'paid' },
    boughtWith('token_pack', another({})),
  ],
  'a payment is late by a beginning that is reported after it, too': [
    [pay({ status: 'authorized', beganAt: null }), pay({ beganAt: days(8) })],
    { pending: ['late 299900 of pay_1, due 2000'] },
  ],
  'an order of another purchase says nothing of payments on other orders': [
    [{ ...paid, orders: [{ razorpayOrderId: 'order_9', purchaseId: 'pur_9' }] }],
    { status: 'paid', conflicts: 0 },
  ],
  'a payment that comes with the order of another purchase is in conflict, and goes no further': [
    [authorized, pay({ razorpayOrderId: 'order_9' })],
    { status: 'authorized', conflicts: 1 },
  ],
  'a payment that comes with another amount, 100 less, grants nothing, and one alert tells':
    contradicting({ amountMinor: 299_800 }),
  'a payment that comes with another currency grants nothing, and one alert tells': contradicting({
    currency: 'USD',
  }),
  'a payment that comes with another order grants nothing, and one alert tells': contradicting({
    razorpayOrderId: 'order_2',
  }),
  'a payment that contradicts itself after its grant keeps it': [
    [paid, pay({ amountMinor: 1 })],
    { status: 'paid', left: 1_000_000, alerts: ['a payment contradicts itself'] },
  ],
  'a payment on an order that names another purchase grants nothing': [
    [{ ...paid, orders: [{ razorpayOrderId: 'order_1', purchaseId: 'pur_2' }] }],
    { status: 'review', conflicts: 1, left: null },
  ],
  'an order, a link and a payment of another purchase stay unknown': [
    [
      {
        ...pay({ razorpayOrderId: 'order_9' }),
        orders: [{ razorpayOrderId: 'order_9', purchaseId: 'pur_9' }],
        linkOrders: [{ linkId: 'plink_9', razorpayOrderId: 'order_9' }],
      },
    ],
    { orders: [null, null], refunded: [], status: 'open' },
    withoutOrder,
  ],
  "an order is bound once, and a second one is the link's": [
    [{ orders: [{ razorpayOrderId: 'order_2', purchaseId: 'pur_1' }] }],
    { orders: ['order_1', 'order_2'] },
  ],
  'the order of a link is bound once': [
    ['order_2', 'order_3'].map((razorpayOrderId) => ({
      linkOrders: [{ linkId: 'plink_1', razorpayOrderId }],
    })),
    { orders: ['order_1', 'order_2'] },
    unpaidState({ hasLink: true }),
  ],
}

const REFUNDS: Rules = {
  'half of the money, 149,950, takes half of the tokens': [
    [paid, refunded(149_950)],
    { status: 'paid', reversed: 500_000, notes: [149_950], refunded: [149_950], isReversed: false },
  ],
  '1 of 299,900 takes 3 tokens, rounded down': [[paid, refunded(1)], { reversed: 3 }],
  'all of the money takes all tokens': [
    [paid, refunded(299_900)],
    { status: 'refunded', reversed: 1_000_000, isReversed: true },
  ],
  'tokens that were used are missing, and no more is taken than is left': [
    [paid, use(900_000), refunded(149_950)],
    { left: 0, reversed: 100_000, missing: 400_000 },
  ],
  'a refund that fails gives its tokens back, its note stays, and an operator is told': [
    [paid, refunded(149_950), refunded(149_950, { state: 'failed' })],
    { status: 'paid', reversed: 0, notes: [149_950], alerts: ['a refund came back, INR 1499.50'] },
  ],
  "Razorpay's sum only grows, and a refund of 500 that failed is taken off it": [
    [
      paid,
      pay({ amountRefundedMinor: 800 }),
      pay({ amountRefundedMinor: 300 }),
      refunded(500, { state: 'failed' }),
    ],
    { refunded: [300] },
  ],
  'a refund of 500 that had failed when we learned of it stays as it is, and the bell says nothing of it':
    [
      [paid, refunded(500, { state: 'failed' }), refunded(900)],
      { refunds: ['500 failed'], reversed: 0, bell: ['paid'] },
    ],
  'a refund moves forward, and its amount only grows: 500, 900, 300': [
    [paid, refunded(500, { state: 'pending' }), refunded(900), refunded(300, { state: 'pending' })],
    { refunds: ['900 processed'] },
  ],
  'a refund of an unknown payment is not kept': [
    [paid, refundedSecond(500)],
    { refunds: [], reversed: 0 },
  ],
  'a refund belongs to the payment that it was first reported with': [
    [paid, second, refunded(500), refundedSecond(900)],
    { refunds: ['500 processed'], refunded: [500, 0] },
  ],
  'money that failed and is sent again has its note': [
    [paid, refunded(500), refunded(500, { state: 'failed' }), refunded(500, { id: 'rfnd_2' })],
    { notes: [500] },
  ],
  'a note is of a completed refund of the payment of the receipt, not of a dispute or of extra money':
    [
      [
        paid,
        second,
        refunded(0, { id: 'rfnd_0' }),
        refunded(7, { id: 'rfnd_7', state: 'pending' }),
        refunded(1),
        disputed(10),
        refundedSecond(299_900, { id: 'rfnd_2' }),
      ],
      { notes: [1] },
    ],
  'the notes of 100,001, and of 60,000 and 139,899 in one report, take back all tax of 299,900': [
    [
      paid,
      refunded(100_001),
      {
        refunds: [
          refundFact({ amountMinor: 139_899, id: 'rfnd_3', beganAt: 4 }),
          refundFact({ amountMinor: 60_000, id: 'rfnd_2', beganAt: 3 }),
        ],
      },
    ],
    { receiptTax: 45_746, notes: [100_001, 60_000, 139_899], notesTax: [7_627, 4_576, 10_670] },
  ],
  'of 219,900 sent again after 100,001 failed, the note is of the rest, and tax is returned once': [
    [
      paid,
      refunded(100_001),
      refunded(1_006, { id: 'rfnd_2', beganAt: 3 }),
      refunded(100_001, { state: 'failed' }),
      refunded(218_894, { id: 'rfnd_3', beganAt: 4 }),
    ],
    { notes: [100_001, 1_006, 118_893], notesTax: [7_627, 77, 9_068] },
  ],
  'money that brought nothing and was refunded counts as refunded': [
    [pay({ amountMinor: 100 }), pay({ amountMinor: 100, amountRefundedMinor: 100 })],
    { status: 'refunded', pending: ['mismatch 100 of pay_1, done'], refunded: [100] },
  ],
  'of two payments that brought nothing, 100 and 200, one refunded leaves the other in review': [
    [
      {
        payments: [
          paymentFact({ amountMinor: 100 }),
          paymentFact({ paymentId: 'pay_2', amountMinor: 200 }),
        ],
      },
      refunded(100),
    ],
    { status: 'review', refunded: [100, 0] },
  ],
}

const DISPUTES: Rules = {
  "a bank's question of 149,950 takes nothing, the chargeback under its id its share": [
    [paid, disputed(149_950, { state: 'inquiry', asOf: 1 }), disputed(149_950)],
    {
      ...{ status: 'paid', reversed: 500_000, isReversed: true },
      alerts: [
        'a payment is disputed, INR 1499.50, a question from the bank',
        'a payment is disputed, INR 1499.50, open',
      ],
    },
  ],
  'a question takes nothing': [[paid, disputed(149_950, { state: 'inquiry' })], { reversed: 0 }],
  'a dispute that was won gives its tokens back': [
    [paid, disputed(149_950), disputed(149_950, { state: 'won', asOf: 3 })],
    { reversed: 0, isReversed: false },
  ],
  'a dispute of 299,900 that was won is opened again and lost under the same id': [
    [
      paid,
      disputed(299_900),
      disputed(299_900, { state: 'won', asOf: 3 }),
      disputed(299_900, { asOf: 4 }),
      disputed(299_900, { state: 'lost', asOf: 5 }),
    ],
    {
      ...{ status: 'refunded', reversed: 1_000_000, disputes: ['299900 lost'] },
      bell: ['paid', 'disputed open', 'disputed undone', 'disputed open', 'disputed final'],
    },
  ],
  'a dispute of an extra payment takes none of the tokens of another, and the bell says nothing': [
    [paid, second, disputed(299_900, { paymentId: 'pay_2' })],
    { status: 'paid', reversed: 0, isReversed: false, bell: ['paid'] },
  ],
  'an older report of a dispute changes nothing': [
    [paid, disputed(500, { asOf: 5 }), disputed(500, { state: 'won', asOf: 4 })],
    { disputes: ['500 open'] },
  ],
  'of two reports of one instant the further one counts': [
    [paid, disputed(500), disputed(500, { state: 'lost' }), disputed(500, { state: 'won' })],
    { disputes: ['500 lost'] },
  ],
  'a dispute of a payment that is not of this purchase is not its own': [
    [paid, disputed(500, { paymentId: 'pay_9' })],
    { disputes: [] },
  ],
  'a dispute of 5 in another currency takes the whole payment': [
    [paid, disputed(5, { currency: 'USD' })],
    { status: 'paid', reversed: 1_000_000 },
  ],
  'and nothing once it is won': [
    [
      paid,
      disputed(5, { currency: 'USD' }),
      disputed(5, { currency: 'USD', state: 'won', asOf: 3 }),
    ],
    { status: 'paid', reversed: 0 },
  ],
  'and all of it when it is lost': [
    [paid, disputed(5, { currency: 'USD', state: 'lost' })],
    { status: 'refunded', reversed: 1_000_000 },
  ],
  'a refund from before a lost dispute of the same amount, 29,990, is other money': [
    [paid, refunded(29_990, { beganAt: 1 }), disputed(29_990, { state: 'lost' })],
    { status: 'paid', reversed: 200_000 },
  ],
  'a lost dispute of 59,980 that Razorpay reports as a refund too is the same money': [
    [paid, disputed(59_980, { state: 'lost' }), refunded(59_980)],
    {
      status: 'paid',
      reversed: 200_000,
      refunded: [0],
      notes: [],
      bell: ['paid', 'disputed final'],
    },
  ],
  'of two lost disputes of 59,980, two refunds are the same money': [
    [
      paid,
      disputed(59_980, { state: 'lost' }),
      disputed(59_980, { state: 'lost', id: 'disp_2' }),
      refunded(59_980),
      refunded(59_980, { id: 'rfnd_2' }),
    ],
    { reversed: 400_000, refunded: [0] },
  ],
  'a refund of all 299,900 is more than a lost 59,980, and other money': [
    [paid, disputed(59_980, { state: 'lost' }), refunded(299_900)],
    { status: 'refunded', refunded: [299_900] },
  ],
  'of a lost 299,900, Razorpay refunds the 209,930 that are left after a refund of 89,970': [
    [
      paid,
      refunded(89_970, { beganAt: 1 }),
      disputed(299_900, { state: 'lost' }),
      refunded(209_930, { id: 'rfnd_2', beganAt: 3 }),
    ],
    { status: 'refunded', refunded: [89_970], notes: [89_970] },
  ],
  'of a lost 119,960, the 89,970 that were left after a refund of 209,930, though that one fails later':
    [
      [
        paid,
        refunded(209_930, { beganAt: 1 }),
        disputed(119_960, { state: 'lost' }),
        refunded(89_970, { id: 'rfnd_2', beganAt: 3 }),
        refunded(209_930, { state: 'failed' }),
      ],
      { status: 'paid', reversed: 400_000, refunded: [0] },
    ],
  'of a lost 119,960, the 89,970 that were left after refunds of 50,000, which failed before it, and 209,930':
    [
      [
        paid,
        refunded(50_000, { beganAt: 1 }),
        refunded(50_000, { state: 'failed' }),
        refunded(209_930, { id: 'rfnd_2', beganAt: 2 }),
        disputed(119_960, { state: 'lost' }),
        refunded(89_970, { id: 'rfnd_3', beganAt: 3 }),
      ],
      { refunded: [209_930] },
    ],
  'of a lost 119,960, the 89,970 that were left after refunds of 50,000, which failed before it, and 209,930, which fails after it':
    [
      [
        paid,
        refunded(50_000, { beganAt: 1 }),
        refunded(50_000, { state: 'failed' }),
        refunded(209_930, { id: 'rfnd_2', beganAt: 2 }),
        disputed(119_960, { state: 'lost' }),
        refunded(89_970, { id: 'rfnd_3', beganAt: 3 }),
        refunded(209_930, { id: 'rfnd_2', state: 'failed' }),
      ],
      { status: 'paid', reversed: 400_000, refunded: [0] },
    ],
  'a refund of less than is left is other money than a lost 299,900': [
    [
      paid,
      refunded(89_970, { beganAt: 1 }),
      disputed(299_900, { state: 'lost' }),
      refunded(209_929, { id: 'rfnd_2', beganAt: 3 }),
    ],
    { refunded: [299_899] },
  ],
  'a refund of ours is other money than a lost 299,900': [
    [
      paid,
      second,
      refundedSecond(89_970, { beganAt: 1 }),
      disputed(299_900, { paymentId: 'pay_2' }),
      refundedSecond(209_930, { id: 'rfnd_2', reason: 'refund-pay_2-0-1', beganAt: 3 }),
      disputed(299_900, { paymentId: 'pay_2', state: 'lost', asOf: 3 }),
    ],
    { refunded: [0, 299_900] },
  ],
  'a lost 149,950 that Razorpay refunded covers no request of the other 149,950 after it': [
    [
      paid,
      disputed(149_950, { state: 'lost' }),
      refunded(149_950),
      (state, { sale }) => requestRefund(state, { now: hours(1), sale }),
    ],
    { refunded: [0], pending: [`asked_for 149950 of pay_1, due ${hours(1)}`] },
  ],
  'a lost 149,950 is counted once while its refund is in the sum alone': [
    [paid, disputed(149_950, { state: 'lost' }), pay({ amountRefundedMinor: 149_950 })],
    { status: 'paid', reversed: 500_000, refunded: [0], isReversed: false },
  ],
  'an unlisted sum from before a dispute of 149,950 began is other money, though it is lost': [
    [
      paid,
      pay({ amountRefundedMinor: 149_950 }),
      disputed(149_950, { state: 'lost', beganAt: 3_000 }),
    ],
    { status: 'refunded', refunded: [149_950] },
  ],
  'another unlisted sum than a lost 149,950 is other money': [
    [paid, disputed(149_950, { state: 'lost' }), pay({ amountRefundedMinor: 149_949 })],
    { status: 'paid', refunded: [149_949] },
  ],
  'after 42,843 was lost, a plan still counts': [
    [paid, disputed(42_843), disputed(42_843, { state: 'lost', asOf: 3 })],
    { status: 'paid', left: 857_143, isReversed: false },
  ],
  'a plan does not count from the day on which a bank disputed half of it, also after a refund of 1 nine days later':
    [
      [
        paid,
        disputed(149_950, { beganAt: days(1) }),
        refunded(1, { beganAt: days(10) }),
        refunded(149_949, { id: 'rfnd_2', beganAt: days(11) }),
        disputed(149_950, { state: 'lost', asOf: days(12) }),
        refunded(1, { id: 'rfnd_3', beganAt: days(13) }),
      ],
      { status: 'refunded', reversedAt: days(1) },
    ],
  'nor when the dispute and the refund of all else are reported at once': [
    [
      paid,
      {
        ...disputed(149_950, { beganAt: days(10) }),
        refunds: [
          ...refunded(149_950, { beganAt: days(1) }).refunds,
          ...refunded(149_950, { id: 'rfnd_2', beganAt: days(3) }).refunds,
        ],
      },
    ],
    { reversedAt: days(3) },
  ],
  'it counts again in between, and not from the day of the last part on which all of it was refunded':
    [
      [
        paid,
        disputed(149_950, { beganAt: days(1) }),
        disputed(149_950, { state: 'won', asOf: 3 }),
        refunded(149_950, { beganAt: days(4) }),
        refunded(149_950, { id: 'rfnd_2', beganAt: days(6) }),
      ],
      { status: 'refunded', reversedAt: days(6) },
    ],
  'while the last part is in the sum alone, it is gone since we know of it; then since its refund began':
    [
      [
        paid,
        refunded(149_950, { beganAt: 500 }),
        pay({ amountRefundedMinor: 299_900 }),
        refunded(149_950, { id: 'rfnd_2', beganAt: 2_500 }),
      ],
      { reversedAt: 2_500 },
    ],
  'a bank that disputes a plan after its refund was requested changes nothing of its day': [
    [paid, use(500_000), requestRefund, disputed(149_950, { beganAt: days(1) })],
    { reversedAt: 3_000 },
  ],
  'money that brought nothing and was lost is not in review any more': [
    [pay({ amountMinor: 100 }), disputed(100, { state: 'lost' })],
    { status: 'refunded', pending: ['mismatch 100 of pay_1, done'] },
  ],
}

const mayEnd = refundedSecond(299_900, { state: 'pending' })
const failed = refundedSecond(299_900, { state: 'failed' })

const PENDING: Rules = {
  'extra money is done when all of it went back, and not before: 299,899, then 1': [
    [paid, second, refundedSecond(299_899)],
    { pending: ['excess 299900 of pay_2, due 2000'] },
  ],
  'the last 1 ends it': [
    [paid, second, refundedSecond(299_899), refundedSecond(1, { id: 'rfnd_2' }), {}],
    { pending: ['excess 299900 of pay_2, done'] },
  ],
  'after its refund failed, extra money is due again an hour later': [
    [paid, second, mayEnd, failed],
    { pending: [`excess 299900 of pay_2, due ${4_000 + hours(1)}`] },
  ],
  'after three tries, nine hours later': [
    [paid, second, tried(3), mayEnd, failed],
    { pending: [`excess 299900 of pay_2, due ${5_000 + hours(9)}`] },
  ],
  'a mismatch of 100 is not due again: a person refunds it': [
    [pay({ amountMinor: 100 }), refunded(100), refunded(100, { state: 'failed' })],
    { pending: ['mismatch 100 of pay_1, by hand'] },
  ],
  'extra money that was refunded when we learned of it is done at once': [
    [
      paid,
      { ...pay({ paymentId: 'pay_2', amountRefundedMinor: 299_900 }), ...refundedSecond(299_900) },
    ],
    { pending: ['excess 299900 of pay_2, done'] },
  ],
  'a requested refund takes the unused tokens, and its money takes none a second time': [
    [paid, use(400_000), requestRefund, refunded(179_940, { beganAt: 4_000 })],
    {
      ...{ status: 'refunded', left: 0, reversed: 600_000, missing: 0, isReversed: true },
      pending: ['asked_for 179940 of pay_1, done'],
    },
  ],
  '99,900 that went back before the request covers nothing of it': [
    [paid, refunded(99_900, { state: 'pending' }), requestRefund, refunded(99_900)],
    { pending: ['asked_for 200000 of pay_1, due 3000'], left: 0, isReversed: true },
  ],
  'a refund of 199,900 that failed before the request, and is learned of later, takes nothing off it':
    [
      [
        paid,
        refunded(199_900),
        requestRefund,
        refunded(299_900, { id: 'rfnd_2', state: 'failed', beganAt: 1 }),
      ],
      { pending: ['asked_for 100000 of pay_1, due 3000'] },
    ],
  'a refund that began before the request and is learned of after it covers it': [
    [paid, requestRefund, refunded(299_900, { beganAt: 1 })],
    { pending: ['asked_for 299900 of pay_1, done'] },
  ],
  'of two refunds that were sent for a request, the last is its refund': [
    [
      paid,
      requestRefund,
      refunded(299_900, { reason: 'refund-pay_1-1', beganAt: 3_000 }),
      refunded(299_900, { state: 'failed', reason: 'refund-pay_1-1', beganAt: 3_000 }),
      refunded(299_900, { id: 'rfnd_2', reason: 'refund-pay_1-1-1', beganAt: 4_000 }),
    ],
    { refundIds: ['rfnd_2'], pending: ['asked_for 299900 of pay_1, done'] },
  ],
  'a refund of 100,000 that we sent is other money than a dispute of 100,000 that is lost after it':
    [
      [
        paid,
        second,
        disputed(100_000, { paymentId: 'pay_2', state: 'won' }),
        refundedSecond(199_900),
        refundedSecond(100_000, { id: 'rfnd_2', reason: 'refund-pay_2-0-1', beganAt: 3_000 }),
        refundedSecond(199_900, { state: 'failed' }),
        disputed(100_000, { paymentId: 'pay_2', state: 'lost', asOf: 9 }),
        refundedSecond(99_900, { id: 'rfnd_3', reason: 'refund-pay_2-0-2', beganAt: 4_000 }),
      ],
      { pending: ['excess 299900 of pay_2, done'] },
    ],
  'after half was lost, the refund of the other 149,950 is other money than the dispute': [
    [
      paid,
      disputed(149_950, { state: 'lost' }),
      requestRefund,
      refunded(149_950, { beganAt: 4_000 }),
    ],
    { status: 'refunded', left: 0, pending: ['asked_for 149950 of pay_1, done'] },
  ],
  'a lost 42,843 that a bank gives back after the rest was refunded is not owed again': [
    [
      paid,
      disputed(42_843, { state: 'lost' }),
      requestRefund,
      refunded(257_057, { beganAt: 4_000 }),
      disputed(42_843, { state: 'won', asOf: 6 }),
    ],
    { status: 'refunded', left: 142_857, pending: ['asked_for 257057 of pay_1, done'] },
  ],
  'when all of the money is refunded or disputed, all tokens are due, however the parts were rounded':
    [
      [paid, use(200_001), requestRefund, refunded(239_920, { beganAt: 4_000 }), disputed(59_980)],
      { left: 0, missing: 200_001, pending: ['asked_for 239920 of pay_1, done'] },
    ],
}

/** When one that has this status after this report is checked for the last time. */
const lastChecks = (status: State['purchase']['status'], report: Step): Rules => ({
  [`a purchase that is ${status} is checked no more`]: [[report], { status, nextCheckAt: null }],
  [`while its link can be paid, one that is ${status} is checked`]: [
    [report, checkedByJob(hours(25) - 1)],
    { status, nextCheckAt: hours(48) },
    linked,
  ],
  [`the job ends the checks of one that is ${status} an hour after its link ended`]: [
    [report, checkedByJob(hours(25))],
    { status, nextCheckAt: null },
    linked,
  ],
})

const STATUS: Rules = {
  'a declined card is an attempt': [[pay({ status: 'failed' })], { status: 'attempted' }],
  'a payment that was begun and has no result leaves it open': [
    [pay({ status: 'failed' }), pay({ paymentId: 'pay_2', status: 'created' })],
    { status: 'open' },
  ],
  'an authorized payment that Razorpay sent back is not waited for': [
    [authorized, pay({ status: 'authorized', amountRefundedMinor: 299_900 })],
    { status: 'attempted' },
  ],
  'it expires after 96 hours, and is checked once more': [
    [unchecked, { now: hours(97) }],
    { status: 'expired', nextCheckAt: hours(122) },
  ],
  'money after that still counts': [
    [{ now: hours(97) }, { ...paid, now: hours(145) }],
    { status: 'paid', nextCheckAt: null },
  ],
  'news does not postpone a check that is due, also after the link ended': [
    [pay({ status: 'failed' }), { ...paid, now: hours(9) }, { now: hours(27) }],
    { nextCheckAt: minutes(1) },
    linked,
  ],
  'news does not postpone a check that was wanted sooner': [
    [checkAt(hours(9)), { ...pay({ status: 'failed' }), now: hours(8) }],
    { nextCheckAt: hours(9) },
  ],
  'an authorized payment is checked again after 2 minutes, whatever is told of another payment': [
    [
      checkedByJob(hours(50)),
      { ...authorized, now: hours(50) },
      { ...pay({ paymentId: 'pay_2', status: 'failed' }), now: hours(51) },
    ],
    { nextCheckAt: hours(50) + minutes(2) },
  ],
  'then after as long as it has waited': [
    [
      checkedByJob(hours(50)),
      { ...authorized, now: hours(50) },
      { ...authorized, ...checkedByJob(hours(51)) },
    ],
    { nextCheckAt: hours(52) },
  ],
  ...lastChecks('paid', paid),
  ...lastChecks('refunded', pay({ amountRefundedMinor: 299_900 })),
  ...lastChecks('review', pay({ amountMinor: 100 })),
  "a report that is not the job's ends no checks": [
    [paid, { now: hours(25) }],
    { nextCheckAt: minutes(1) },
    linked,
  ],
  'an unpaid purchase is checked after its link ended, too': [
    [unchecked, { now: hours(26) }],
    { nextCheckAt: hours(48) },
    linked,
  ],
}

test.each(Object.entries({ ...GRANTS, ...REFUNDS, ...DISPUTES, ...PENDING, ...STATUS }))(
  '%s',
  (_rule, [steps, expected, begin]) => {
    expect(shown(play(steps, begin))).toMatchObject(expected)
  },
)

const QUOTES: Record<string, [steps: Step[], expected: object, begin?: State]> = {
  'of 600,000 unused tokens, 179,940': [
    [paid, use(400_000)],
    { tokens: 600_000, amountMinor: 179_940 },
  ],
  'to the nearest paisa: 1 token is worth 0': [[paid, use(999_999)], { tokens: 1, amountMinor: 0 }],
  'to the nearest paisa: 2 tokens are worth 1': [[paid, use(999_998)], { amountMinor: 1 }],
  'what a bank took for good, 100,000, is not left': [
    [paid, disputed(100_000, { state: 'lost' })],
    { leftMinor: 199_900 },
  ],
  'what is still to be sent, 299,900, is not left': [[paid, requestRefund], { leftMinor: 0 }],
  'no more than is left: 1 of 3,000,000 went back, and takes no token': [
    [pay({ amountMinor: 3_000_000 }), refunded(1)],
    { tokens: 1_000_000, amountMinor: 2_999_999 },
    unpaidState({ amountMinor: 3_000_000 }),
  ],
  "Razorpay's sum of 500 counts, and Razorpay must be asked for its refunds first": [
    [paid, pay({ amountRefundedMinor: 500 })],
    { isUnlisted: true, leftMinor: 299_400 },
  ],
}

test.each(Object.entries(QUOTES))('a quote: %s', (_rule, [steps, expected, begin]) => {
  expect(quoteOf(play(steps, begin).state)).toMatchObject(expected)
})

const REJECTED: Record<string, Step[]> = {
  'there is nothing to refund': [paid, requestRefund],
  'Razorpay must be asked': [paid, pay({ amountRefundedMinor: 500 })],
  'it was requested before': [
    paid,
    disputed(42_843, { state: 'lost' }),
    requestRefund,
    refunded(257_057, { beganAt: 4_000 }),
    disputed(42_843, { state: 'won', asOf: 6 }),
  ],
}

test.each(Object.entries(REJECTED))('a request is rejected: %s', (why, steps) => {
  expect(() => requestRefund(play(steps).state, at(9_000))).toThrow(why)
})

test('a sign that money is on its way ends when that money was sent back', () => {
  const proof = (now: number) => ({ ...at(now), verifiedPayment: 'pay_1' })
  const waits = factsOf(authorized)
  const sentBack = factsOf(pay({ status: 'authorized', amountRefundedMinor: 299_900 }))
  const verified = decide(unpaidState(), factsOf({}), proof(1))
  expect(verified.purchase.verifiedAt).toBe(1)
  const waiting = decide(verified, waits, proof(2))
  expect(waiting.purchase).toMatchObject({ status: 'authorized', verifiedAt: 2 })
  const back = decide(waiting, sentBack, at(3))
  expect(back.purchase).toMatchObject({ status: 'attempted', verifiedAt: null })
  // A signature of the payment that was sent back proves nothing more; one of a later payment does.
  expect(decide(back, sentBack, proof(4))).toBe(back)
  const next = factsOf(pay({ paymentId: 'pay_2', status: 'authorized' }))
  const later = decide(back, next, { ...at(4), verifiedPayment: 'pay_2' })
  expect(later.purchase).toMatchObject({ status: 'authorized', verifiedAt: 4 })
})

test('for every rate and price the parts of a tax are whole, fit the supply and come out of the price', () => {
  for (const taxRate of [0, 25, 300, 500, 1_200, 1_800, 2_800, 4_000, 9_999]) {
    for (let amountMinor = 100; amountMinor < 300_000; amountMinor += 797) {
      const exact = (amountMinor * taxRate) / (10_000 + taxRate)
      const intra = taxIn(amountMinor, { supply: 'intra_state', taxRate })
      const inter = taxIn(amountMinor, { supply: 'inter_state', taxRate })
      const what = `${formatMoney(amountMinor, 'INR')} at ${taxRate / 100} %`
      expect(Math.abs(inter.igstMinor - exact), what).toBeLessThanOrEqual(0.5)
      expect(intra, what).toEqual({
        cgstMinor: Math.floor(inter.igstMinor / 2),
        sgstMinor: Math.floor(inter.igstMinor / 2),
        igstMinor: 0,
      })
      expect(sumOf([{ amountMinor: inter.cgstMinor }, { amountMinor: inter.sgstMinor }])).toBe(0)
    }
  }
})

test('half a paisa of tax, and the odd one of two halves, stay in the taxable value: 151.5 of 1,414', () => {
  const tax = (supply: 'inter_state' | 'intra_state' | 'export') =>
    taxIn(1_414, { supply, taxRate: supply === 'export' ? 0 : 1_200 })
  expect(tax('inter_state').igstMinor).toBe(151)
  expect(tax('intra_state')).toEqual({ cgstMinor: 75, sgstMinor: 75, igstMinor: 0 })
  expect(tax('export')).toEqual({ cgstMinor: 0, sgstMinor: 0, igstMinor: 0 })
})

/** The payment with this much refunded. */
const less = (amountRefundedMinor: number, parts: Partial<PaymentFact> = {}) =>
  pay({ amountRefundedMinor, ...parts })
const payTwo = { paymentId: 'pay_2' }
const onLink = { ...payTwo, razorpayOrderId: 'order_2' }

/** What Razorpay reports, and how it ends in every order of the reports. */
const ANY_ORDER: Record<string, [reports: Partial<Facts>[], ends: string]> = {
  'a paid order, reported by every source': [
    [
      pay({ status: 'authorized' }),
      pay(),
      { ...pay(), orders: [{ razorpayOrderId: 'order_1', purchaseId: 'pur_1' }] },
      { payments: [paymentFact(), paymentFact({ ...payTwo, status: 'failed' })] },
    ],
    'paid, 1000000 left',
  ],
  'failed, then authorized late, then captured': [
    [pay({ status: 'failed' }), pay({ status: 'authorized' }), pay(), pay({ status: 'failed' })],
    'paid, 1000000 left',
  ],
  'refunded, perhaps before the capture is reported': [
    [
      pay({ status: 'authorized' }),
      pay(),
      { ...less(299_900), ...refunded(299_900, { state: 'pending' }) },
      { ...less(299_900), ...refunded(299_900) },
    ],
    'refunded, 0 left, notes of 299900',
  ],
  'both the order and its payment link are paid': [
    [
      pay(),
      { ...pay(onLink), linkOrders: [{ linkId: 'plink_1', razorpayOrderId: 'order_2' }] },
      { ...pay(onLink), orders: [{ razorpayOrderId: 'order_2', purchaseId: 'pur_1' }] },
    ],
    'paid, 1000000 left, excess 299900',
  ],
  'a refund that fails': [
    [
      pay(),
      { ...less(1_000), ...refunded(1_000, { state: 'pending' }) },
      { ...less(1_000), ...refunded(1_000, { state: 'failed' }) },
      { ...pay(), ...refunded(1_000, { state: 'failed' }) },
    ],
    'paid, 1000000 left',
  ],
  'a dispute that is won and then lost': [
    [
      { ...pay(), ...disputed(149_950, { state: 'won', asOf: 2 }) },
      { ...pay(), ...disputed(149_950, { state: 'open', asOf: 3 }) },
      { ...pay(), ...disputed(149_950, { state: 'lost', asOf: 4 }) },
    ],
    'paid, 500000 left',
  ],
  'a dispute that is lost after a refund': [
    [
      pay(),
      { ...less(299_900), ...refunded(299_900, { beganAt: 1 }) },
      { ...less(299_900), ...disputed(299_900, { state: 'open', asOf: 1 }) },
      { ...less(299_900), ...disputed(299_900, { state: 'lost', asOf: 2 }) },
    ],
    'refunded, 0 left, notes of 299900',
  ],
}

function permutations<Entry>(list: readonly Entry[]): Entry[][] {
  if (list.length <= 1) return [[...list]]
  return list.flatMap((head, index) =>
    permutations(list.toSpliced(index, 1)).map((rest) => [head, ...rest]),
  )
}

function endOf({ purchase, grant, pendingRefunds, creditNotes }: State): string {
  const noted = sumOf(creditNotes)
  return [
    purchase.status,
    ...(grant === null ? [] : [`${grant.left} left`]),
    ...pendingRefunds.map(
      ({ reason, amountMinor, doneAt }) =>
        `${reason} ${amountMinor}${doneAt === null ? '' : ' done'}`,
    ),
    ...(noted === 0 ? [] : [`notes of ${noted}`]),
  ].join(', ')
}

test.each(Object.entries(ANY_ORDER))(
  '%s: it ends the same in every order, and when everything is reported twice',
  (_what, [reports, ends]) => {
    for (const order of permutations(reports)) {
      let [state, now] = [unpaidState({ hasLink: true }), 0]
      for (const round of ['once', 'twice']) {
        for (const parts of order) state = decide(state, factsOf(parts), at((now += 1_000)))
        const places = order.map((parts) => reports.indexOf(parts))
        expect(endOf(state), `${places.join(', ')}, ${round}`).toBe(ends)
      }
    }
  },
)
