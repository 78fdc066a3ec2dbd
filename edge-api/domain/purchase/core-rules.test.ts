import { expect, test } from 'vitest'
import { paymentFact, refundFact, unpaidState } from '../../../tests/harness/world/core-state.ts'
import { type Facts, factsOf } from '../ports/payments.ts'
import { type At, conclude, decide, quoteOf, requestRefund, type State } from './core.ts'

// A plan of ₹2,999.00 with 1,000,000 tokens: each row is a rule, what Razorpay reports, and what follows.

const at = (now: number): At => ({ now, sale: { supply: 'intra_state', taxRate: 1_800 } })

/** The state after these reports, one each second. */
function after(reports: Partial<Facts>[], begin: State = unpaidState()): State {
  return reports.reduce<State>(
    (state, parts, place) => decide(state, factsOf(parts), at(1_000 * (place + 1))),
    begin,
  )
}

const paid = { payments: [paymentFact()] }
const refunded = (amountMinor: number, parts: Parameters<typeof refundFact>[0] = {}) => ({
  refundsAndDisputes: [refundFact({ amountMinor, ...parts })],
})
const disputed = (parts: Parameters<typeof refundFact>[0]) => ({
  refundsAndDisputes: [refundFact({ id: 'disp_1', kind: 'dispute', ...parts })],
})

/** What a table compares. */
function shown({ purchase, grant, pendingRefunds, creditNotes, payments }: State) {
  return {
    status: purchase.status,
    reversed: grant && grant.reversed,
    pending: pendingRefunds.map(
      ({ reason, doneAt }) => `${reason}${doneAt === null ? '' : ' done'}`,
    ),
    notes: creditNotes.map(({ amountMinor }) => amountMinor),
    refunded: payments.map(({ refundedMinor }) => refundedMinor),
  }
}

const RULES: [
  rule: string,
  reports: Partial<Facts>[],
  expected: Partial<ReturnType<typeof shown>>,
][] = [
  ['captured money of that price is paid', [paid], { status: 'paid', reversed: 0, pending: [] }],
  ['the same report again changes nothing', [paid, paid], { status: 'paid', pending: [] }],
  [
    'half of the money takes half of the tokens, rounded down',
    [paid, refunded(149_950)],
    { status: 'paid', reversed: 500_000, notes: [149_950], refunded: [149_950] },
  ],
  [
    'all of the money takes all',
    [paid, refunded(299_900)],
    { status: 'refunded', reversed: 1_000_000 },
  ],
  [
    'a refund that fails gives its tokens back, and its note stays',
    [paid, refunded(149_950), refunded(149_950, { state: 'undone' })],
    { status: 'paid', reversed: 0, notes: [149_950] },
  ],
  [
    'money that failed and is sent again has its note',
    [paid, refunded(500), refunded(500, { state: 'undone' }), refunded(500, { id: 'rfnd_2' })],
    { notes: [500] },
  ],
  [
    'another amount brings nothing, and a person refunds it',
    [{ payments: [paymentFact({ amountMinor: 100 })] }],
    { status: 'review', reversed: null, pending: ['mismatch'] },
  ],
  [
    'a second payment is refunded whole',
    [paid, { payments: [paymentFact({ paymentId: 'pay_2' })] }],
    { status: 'paid', pending: ['excess'] },
  ],
  [
    'money that brought nothing and was refunded counts as refunded',
    [
      { payments: [paymentFact({ amountMinor: 100 })] },
      { payments: [paymentFact({ amountMinor: 100, amountRefundedMinor: 100 })] },
    ],
    { status: 'refunded', pending: ['mismatch done'], refunded: [100] },
  ],
  [
    'a dispute takes its share until it is won',
    [paid, disputed({ amountMinor: 149_950, state: 'open' })],
    { status: 'paid', reversed: 500_000 },
  ],
  [
    'a dispute in another currency takes the whole payment',
    [paid, disputed({ amountMinor: 5, currency: 'USD', state: 'open' })],
    { status: 'paid', reversed: 1_000_000 },
  ],
  [
    'and nothing once it is won',
    [
      paid,
      disputed({ amountMinor: 5, currency: 'USD', state: 'open', asOf: 1 }),
      disputed({ amountMinor: 5, currency: 'USD', state: 'undone', asOf: 2 }),
    ],
    { status: 'paid', reversed: 0 },
  ],
]

test.each(RULES)('%s', (_rule, reports, expected) => {
  expect(shown(after(reports))).toMatchObject(expected)
})

test('a sign that money is on its way ends when that money was sent back', () => {
  const authorized = paymentFact({ status: 'authorized' })
  const sentBack = { ...authorized, amountRefundedMinor: authorized.amountMinor }
  const proven = decide(unpaidState(), factsOf({}), { ...at(1), provenPayment: 'pay_1' })
  expect(proven.purchase.provenAt).toBe(1)
  const waiting = decide(proven, factsOf({ payments: [authorized] }), {
    ...at(2),
    provenPayment: 'pay_1',
  })
  expect(waiting.purchase).toMatchObject({ status: 'authorized', provenAt: 2 })
  const back = decide(waiting, factsOf({ payments: [sentBack] }), at(3))
  expect(back.purchase).toMatchObject({ status: 'attempted', provenAt: null })
  // A signature of the payment that was sent back proves nothing more; one of a later payment does.
  const again = { ...at(4), provenPayment: 'pay_1' }
  expect(decide(back, factsOf({ payments: [sentBack] }), again)).toBe(back)
  const next = paymentFact({ paymentId: 'pay_2', status: 'authorized' })
  const later = decide(back, factsOf({ payments: [next] }), { ...at(4), provenPayment: 'pay_2' })
  expect(later.purchase).toMatchObject({ status: 'authorized', provenAt: 4 })
})

test('a request takes the unused tokens for their price, and is paid by what is returned after it', () => {
  const used = after([paid, refunded(99_900)])
  const grant = used.grant && { ...used.grant, left: 600_000 }
  const state = { ...used, grant }
  expect(quoteOf(state)).toMatchObject({ tokens: 600_000, amountMinor: 179_940 })
  const requested = requestRefund(state, at(5_000))
  expect(requested.pendingRefunds).toMatchObject([{ amountMinor: 179_940, tokens: 600_000 }])
  expect(requested).toMatchObject({ grant: { left: 0 }, purchase: { reversedAt: 5_000 } })
  expect(() => requestRefund(requested, at(6_000))).toThrow('nothing to refund')
  const reason = 'refund-pay_1-1'
  const sent = decide(
    requested,
    factsOf(refunded(179_940, { id: 'rfnd_2', beganAt: 6_000, reason })),
    at(7_000),
  )
  expect(sent.pendingRefunds).toMatchObject([{ doneAt: 7_000, refundId: 'rfnd_2' }])
  expect(sent.purchase.status).toBe('refunded')
})

test("an older row that counted money by Razorpay's sum alone is not paid by it once it is listed", () => {
  const sum = after([paid, { payments: [paymentFact({ amountRefundedMinor: 500 })] }])
  const row = {
    paymentId: 'pay_1',
    number: 1,
    id: 'goodwill-pay_1-1-300',
    purchaseId: 'pur_1',
    reason: 'goodwill' as const,
    amountMinor: 300,
    tokens: 0,
    before: [''],
    createdAt: 3_000,
    dueAt: 3_000,
    attempts: 0,
    refundId: null,
    doneAt: null,
  }
  const state = conclude({ ...sum, pendingRefunds: [row] }, at(3_000))
  const listed = decide(state, factsOf(refunded(500, { beganAt: 3_000 })), at(4_000))
  expect(listed.pendingRefunds).toMatchObject([{ doneAt: null }])
  const ours = refunded(300, { id: 'rfnd_2', beganAt: 3_500, reason: 'goodwill-pay_1-1-300-1' })
  expect(decide(listed, factsOf(ours), at(5_000)).pendingRefunds).toMatchObject([
    { doneAt: 5_000, refundId: 'rfnd_2' },
  ])
})

test('while the sum is ahead of the refunds that are known, nothing is requested', () => {
  const sum = after([paid, { payments: [paymentFact({ amountRefundedMinor: 500 })] }])
  expect(quoteOf(sum)).toMatchObject({ isUnlisted: true, leftMinor: 299_400 })
  expect(() => requestRefund(sum, at(3_000))).toThrow('Razorpay must be asked')
})
