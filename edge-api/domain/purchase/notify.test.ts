import { expect, test } from 'vitest'
import { openAmongOthers } from '../../../tests/harness/world/among-others.ts'
import {
  mailDisputes,
  mailReceipt,
  mailRefunds,
  notifyPaid,
  notifyReversed,
} from './settling/notify.ts'

test('a grant is told to its owner, at the instant at which it was made', async () => {
  const { world, sell, mine, all, email, written } = await openAmongOthers()
  const earlier = await sell()
  await earlier.tell({ payments: [earlier.payment] })
  world.advance(1_000)
  for (const { tell, payment } of all) await tell({ payments: [payment] })
  const { id, userId } = mine.purchase
  expect(await written(notifyPaid)).toEqual([
    {
      id: `paid:${id}`,
      userId,
      kind: 'paid',
      to: '',
      facts: { item: 'Token pack', tokens: 1_000_000, amount: 2_500, currency: 'USD' },
    },
  ])
  expect(await written(mailReceipt)).toMatchObject([
    {
      id: `mail-receipt:${id}`,
      userId,
      kind: 'receipt',
      to: email,
      facts: { series: '', number: 3, purchaseId: id, total: { amountMinor: 2_500 } },
    },
  ])
  expect(await written(notifyPaid, earlier)).toEqual([])
  expect(await written(mailReceipt, earlier)).toEqual([])
})

/** All purchases are paid, and at one instant a second later each has refunds and disputes of every state. */
async function openReversed() {
  const opened = await openAmongOthers()
  for (const { tell, payment, refund } of opened.all) {
    await tell({ payments: [payment] })
    const dispute = refund({ kind: 'dispute', amountMinor: 7, state: 'open' })
    await tell({ refundsAndDisputes: [refund({ amountMinor: 50 }), dispute] })
  }
  await opened.deleteAccount()
  opened.world.advance(1_000)
  for (const { tell, refund } of opened.all) {
    await tell({
      refundsAndDisputes: [
        refund({ amountMinor: 100 }),
        refund({ amountMinor: 200, state: 'open' }),
        refund({ amountMinor: 300, state: 'undone' }),
        refund({ kind: 'dispute', amountMinor: 400, state: 'open', phase: 'chargeback' }),
        refund({ kind: 'dispute', amountMinor: 500, state: 'undone', respondBy: 9 }),
        refund({ kind: 'dispute', amountMinor: 600, state: 'inquiry' }),
      ],
    })
  }
  return opened
}

test('a refund and a dispute are told to the owner at the instant at which they are stored, unless they are undone', async () => {
  const { mine, gone, email, written } = await openReversed()
  const { userId } = mine.purchase
  const item = 'Token pack'
  const told = await written(notifyReversed)
  const events = told.map(({ userId: user, kind, facts }) => ({ user, kind, facts }))
  expect(events).toHaveLength(3)
  expect(events).toEqual(
    expect.arrayContaining([
      { user: userId, kind: 'refunded', facts: { item, amount: 100, currency: 'USD' } },
      { user: userId, kind: 'refunded', facts: { item, amount: 200, currency: 'USD' } },
      { user: userId, kind: 'disputed', facts: { item, amount: 400, currency: 'USD' } },
    ]),
  )
  const mailed = await written(mailRefunds)
  const mails = mailed.map(({ userId: user, to, kind, facts }) => ({ user, to, kind, facts }))
  const mail = { user: userId, to: email, kind: 'refund' }
  expect(mails).toHaveLength(2)
  expect(mails).toEqual(
    expect.arrayContaining([
      { ...mail, facts: { item, refunded: { amountMinor: 100, currency: 'USD' } } },
      { ...mail, facts: { item, refunded: { amountMinor: 200, currency: 'USD' } } },
    ]),
  )
  expect(await written(notifyReversed, gone)).toEqual([])
  expect(await written(mailRefunds, gone)).toEqual([])
})

test('the team hears of every dispute that is new or moved on, and of no refund', async () => {
  const { world, mine, gone, written } = await openReversed()
  const about = {
    purchaseId: mine.purchase.id,
    paymentId: mine.payment.paymentId,
    paid: { amountMinor: 2_500, currency: 'USD' },
  }
  const dispute = (amountMinor: number, facts: object) =>
    expect.objectContaining({
      userId: null,
      to: world.ctx().brand.supportEmail,
      facts: expect.objectContaining({
        ...about,
        disputed: { amountMinor, currency: 'USD' },
        ...facts,
      }),
    })
  const mails = await written(mailDisputes)
  expect(mails).toHaveLength(3)
  expect(mails).toEqual(
    expect.arrayContaining([
      dispute(400, { state: 'open', phase: 'chargeback', respondBy: null }),
      dispute(500, { state: 'undone', phase: '', respondBy: 9 }),
      dispute(600, { state: 'inquiry' }),
    ]),
  )
  expect(await written(mailDisputes, gone)).toHaveLength(3)
})
