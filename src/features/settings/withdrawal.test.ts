import { expect, test } from 'vitest'
import { exampleOf } from '../../../site/openapi/examples.ts'
import { askRefundEndpoint, REFUND, refundQuoteEndpoint } from '../../contract/refund.ts'
import { createWithdrawal } from './withdrawal.ts'
import { createStoreFixture } from '../../../tests/stores/store-fixture.ts'

const { refund: QUOTE } = refundQuoteEndpoint.success.parse(exampleOf(refundQuoteEndpoint).success)

async function open() {
  const { server } = await createStoreFixture({ isSignedIn: true })
  let asked = 0
  const onAsked = () => {
    asked += 1
  }
  const withdrawal = createWithdrawal({ onAsked })
  server.answer(refundQuoteEndpoint, { refund: QUOTE })
  await withdrawal.open(QUOTE.purchaseId)
  return { server, withdrawal, state: withdrawal.$withdrawal, asks: () => asked }
}

test('a sum that has changed is shown again before the refund is requested', async () => {
  const { server, withdrawal, state, asks } = await open()
  const less = { ...QUOTE, unusedTokens: 500_000, amount: 1_750 }
  server.refuse(askRefundEndpoint, 'AMOUNT_MISMATCH', REFUND.changed)
  server.forget(refundQuoteEndpoint)
  server.answer(refundQuoteEndpoint, { refund: less })
  await withdrawal.confirm()
  expect(state.get()).toEqual({
    step: 'quote',
    refund: less,
    isBusy: false,
    problem: REFUND.changed,
  })
  expect(asks()).toBe(0)
})

test('the sum of one purchase is not shown for the next one', async () => {
  const { server, withdrawal, state } = await open()
  server.forget(refundQuoteEndpoint)
  const left = { ...QUOTE, purchaseId: 'pur_01m7y70fee5paaq2f57vqxcv2m' }
  for (const refund of [left, QUOTE]) {
    const path = `/api/payment/refunds/${refund.purchaseId}` as const
    server.answer({ ...refundQuoteEndpoint, path }, { refund })
  }
  withdrawal.close()
  const shown: string[] = []
  state.listen((now) => {
    if (now.step === 'quote') shown.push(now.refund.purchaseId)
  })
  const late = withdrawal.open(left.purchaseId)
  withdrawal.close()
  await Promise.all([late, withdrawal.open(QUOTE.purchaseId)])
  expect(shown).toEqual([QUOTE.purchaseId])
})

test('a purchase that cannot be refunded says why', async () => {
  const { server, withdrawal, state } = await open()
  server.forget(refundQuoteEndpoint)
  server.refuse(refundQuoteEndpoint, 'NOTHING_TO_CHANGE', REFUND.over)
  await withdrawal.open(QUOTE.purchaseId)
  expect(state.get()).toEqual({ step: 'failed', problem: REFUND.over })
})
