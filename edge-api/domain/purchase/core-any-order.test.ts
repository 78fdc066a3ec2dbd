import { expect, test } from 'vitest'
import {
  paymentFact,
  refundFact,
  sumOf,
  unpaidState,
} from '../../../tests/harness/world/core-state.ts'
import { type Facts, factsOf, type PaymentFact, type RefundOrDispute } from '../ports/payments.ts'
import { decide, type State } from './core.ts'

// A plan of ₹2,999.00 with 1,000,000 tokens: what Razorpay reports, and how it ends in every order of the reports.

const PRICE = 299_900

const pay = (parts: Partial<PaymentFact> = {}) => ({ payments: [paymentFact(parts)] })
const back = (amountMinor: number, parts: Partial<RefundOrDispute> = {}) => ({
  refundsAndDisputes: [refundFact({ amountMinor, ...parts })],
})
const disputed = (amountMinor: number, state: RefundOrDispute['state'], asOf: number) =>
  back(amountMinor, { id: 'disp_1', kind: 'dispute', beganAt: 2, state, asOf })
/** The payment with this much refunded. */
const less = (amountRefundedMinor: number, parts: Partial<PaymentFact> = {}) =>
  pay({ amountRefundedMinor, ...parts })

const second = { paymentId: 'pay_2' }
const onLink = { ...second, razorpayOrderId: 'order_2' }
const sentBack = less(PRICE, { ...second, status: 'authorized' })

const CASES: [what: string, reports: Partial<Facts>[], ends: string][] = [
  [
    'a paid order, reported by every source',
    [
      pay({ status: 'authorized' }),
      pay(),
      { ...pay(), orders: [{ razorpayOrderId: 'order_1', purchaseId: 'pur_1' }] },
      { payments: [paymentFact(), paymentFact({ ...second, status: 'failed' })] },
    ],
    'paid, 1000000 left',
  ],
  [
    'failed, then authorized late, then captured',
    [pay({ status: 'failed' }), pay({ status: 'authorized' }), pay(), pay({ status: 'failed' })],
    'paid, 1000000 left',
  ],
  [
    'refunded, perhaps before the capture is reported',
    [
      pay({ status: 'authorized' }),
      pay(),
      { ...less(PRICE), ...back(PRICE, { state: 'open' }) },
      { ...less(PRICE), ...back(PRICE) },
    ],
    'refunded, 0 left, notes of 299900',
  ],
  [
    'a second payment that Razorpay returns without capturing it',
    [
      pay(),
      pay({ ...second, status: 'authorized' }),
      sentBack,
      { ...sentBack, ...back(PRICE, second) },
    ],
    'paid, 1000000 left',
  ],
  [
    'both the order and its payment link are paid',
    [
      pay(),
      { ...pay(onLink), linkOrders: [{ linkId: 'plink_1', razorpayOrderId: 'order_2' }] },
      { ...pay(onLink), orders: [{ razorpayOrderId: 'order_2', purchaseId: 'pur_1' }] },
    ],
    'paid, 1000000 left, excess 299900',
  ],
  [
    'another currency',
    [pay({ currency: 'USD' }), pay({ currency: 'USD', status: 'failed' })],
    'review, mismatch 299900',
  ],
  [
    'only failures',
    [pay({ status: 'created' }), pay({ status: 'failed' }), pay({ ...second, status: 'failed' })],
    'attempted',
  ],
  [
    'a wrong amount, refunded by hand, then the right one',
    [
      pay({ ...second, amountMinor: 100 }),
      less(100, { ...second, amountMinor: 100 }),
      { ...pay({ ...second, amountMinor: 100 }), ...back(100, second) },
      pay(),
    ],
    'paid, 1000000 left, mismatch 100 done',
  ],
  [
    'a refund that fails',
    [
      pay(),
      { ...less(1_000), ...back(1_000, { state: 'open' }) },
      { ...less(1_000), ...back(1_000, { state: 'undone' }) },
      { ...pay(), ...back(1_000, { state: 'undone' }) },
    ],
    'paid, 1000000 left',
  ],
  [
    'a dispute that is won and then lost',
    [
      { ...pay(), ...disputed(149_950, 'undone', 2) },
      { ...pay(), ...disputed(149_950, 'open', 3) },
      { ...pay(), ...disputed(149_950, 'final', 4) },
    ],
    'paid, 500000 left',
  ],
  [
    'a dispute that is lost after a refund',
    [
      pay(),
      { ...less(PRICE), ...back(PRICE, { beganAt: 1 }) },
      { ...less(PRICE), ...disputed(PRICE, 'open', 1) },
      { ...less(PRICE), ...disputed(PRICE, 'final', 2) },
    ],
    'refunded, 0 left, notes of 299900',
  ],
  [
    'two partial refunds',
    [
      pay(),
      { ...less(29_990), ...back(29_990) },
      { ...less(89_970), ...back(59_980, { id: 'rfnd_2' }) },
      {
        ...less(89_970),
        refundsAndDisputes: [
          ...back(29_990).refundsAndDisputes,
          ...back(59_980, { id: 'rfnd_2' }).refundsAndDisputes,
        ],
      },
    ],
    'paid, 700000 left, notes of 89970',
  ],
]

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

test.each(CASES)(
  '%s: it ends the same in every order, and when everything is reported twice',
  (_what, reports, ends) => {
    for (const order of permutations(reports)) {
      let [state, now] = [unpaidState({ hasLink: true }), 0]
      for (const round of ['once', 'twice']) {
        for (const parts of order)
          state = decide(state, factsOf(parts), {
            now: (now += 1_000),
            sale: { supply: 'export', taxRate: 0 },
          })
        const places = order.map((parts) => reports.indexOf(parts))
        expect(endOf(state), `${places.join(', ')}, ${round}`).toBe(ends)
      }
    }
  },
)
