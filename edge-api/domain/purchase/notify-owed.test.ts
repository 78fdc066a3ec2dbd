import { expect, test } from 'vitest'
import { openAmongOthers } from '../../../tests/harness/world/among-others.ts'
import { refundOf } from '../../../tests/harness/world/purchase.ts'
import type { Context } from '../context.ts'
import { factsOf } from '../ports/payments.ts'
import type { Purchase } from './find-purchase.ts'
import {
  mailAskedRefund,
  mailFailedRefunds,
  mailHeldRefund,
  mailPayerOfDeleted,
  mailReviews,
  mailReviewsToTeam,
} from './settling/notify.ts'

/** All purchases are paid. */
async function openPaid() {
  const opened = await openAmongOthers()
  for (const { tell, payment } of opened.all) await tell({ payments: [payment] })
  return opened
}

test('what a buyer asks back is acknowledged to them at that instant, and its delay for as long as it is owed', async () => {
  const { world, sell, mine, gone, all, email, deleteAccount, written } = await openPaid()
  const sent = await sell()
  await sent.tell({ payments: [sent.payment] })
  for (const { owe, tell, pay } of [...all, sent]) {
    await owe({ reason: 'goodwill', amountMinor: 10, number: 1 })
    await owe({ reason: 'asked_for', amountMinor: 20, number: 0 })
    await tell({ payments: [pay()] })
  }
  await deleteAccount()
  const { paymentId } = mine.payment
  const { id: purchaseId, userId } = mine.purchase
  const refund = { amountMinor: 20, currency: 'USD' }
  const about = { item: 'Token pack', purchaseId, refund }
  const mail = { userId, to: email }
  expect(await written(mailAskedRefund)).toEqual([
    {
      ...mail,
      id: `mail-refund-asked:${paymentId}`,
      kind: 'refund_asked',
      facts: { ...about, tokens: 5, askedAt: world.now() },
    },
  ])
  expect(await written(mailAskedRefund, gone)).toEqual([])
  world.advance(1_000)
  expect(await written(mailAskedRefund)).toEqual([])
  expect(await written(mailHeldRefund)).toEqual([
    { ...mail, id: `mail-refund-held:${paymentId}`, kind: 'refund_failed', facts: about },
  ])
  expect(await written(mailHeldRefund, gone)).toEqual([])
  await sent.tell({ refundsAndDisputes: [sent.refund({ amountMinor: 30 })] })
  expect(await written(mailHeldRefund, sent)).toEqual([])
})

test('a refund that fails is told at that instant, if we owe it still and no person sends it', async () => {
  const { world, mine, gone, all, email, deleteAccount, written } = await openPaid()
  let failed: string[] = []
  const steps: (() => Promise<unknown>)[] = []
  for (const { purchase, owe, tell, pay, refund } of all) {
    await owe({ reason: 'asked_for', amountMinor: 20, number: 0 })
    const [extra, back, wrong] = [pay(), pay(), pay({ amountMinor: 700 })]
    await tell({ payments: [extra, back, wrong] })
    const undone = { amountMinor: 9, state: 'undone' } as const
    const told = [refund(undone), refundOf(extra, undone)]
    if (purchase === mine.purchase) failed = told.map(({ id }) => `mail-refund-failed:${id}`)
    await tell({ refundsAndDisputes: [refund(undone)] })
    const others = [
      refund({ amountMinor: 5, state: 'open' }),
      refund({ ...undone, kind: 'dispute' }),
      refundOf(back, undone),
      refundOf(back),
      refundOf(wrong, undone),
    ]
    steps.push(() => tell({ refundsAndDisputes: [...told, ...others] }))
  }
  await deleteAccount()
  world.advance(1_000)
  for (const step of steps) await step()
  const { id: purchaseId, userId } = mine.purchase
  const mail = (index: number, amountMinor: number) => ({
    id: failed[index],
    userId,
    kind: 'refund_failed',
    to: email,
    facts: { item: 'Token pack', purchaseId, refund: { amountMinor, currency: 'USD' } },
  })
  const mails = await written(mailFailedRefunds)
  expect(mails).toHaveLength(2)
  expect(mails).toEqual(expect.arrayContaining([mail(0, 20), mail(1, 2_500)]))
  expect(await written(mailFailedRefunds, gone)).toEqual([])
})

test('money that does not match is told to buyer and team when it comes, unless it went back already', async () => {
  const { world, mine, gone, all, email, deleteAccount, written } = await openPaid()
  const wrong = all.map(({ pay }) => pay({ amountMinor: 700 }))
  for (const { tell, pay } of all) await tell({ payments: [pay({ amountMinor: 600 })] })
  await deleteAccount()
  world.advance(1_000)
  for (const [index, { tell, pay }] of all.entries()) {
    const back = pay({ amountMinor: 800, amountRefundedMinor: 800 })
    await tell({ payments: [pay(), back, ...wrong.slice(index, index + 1)] })
  }
  const paymentId = wrong[1]?.paymentId ?? ''
  const { id: purchaseId, userId } = mine.purchase
  const money = {
    ordered: { amountMinor: 2_500, currency: 'USD' },
    paid: { amountMinor: 700, currency: 'USD' },
  }
  expect(await written(mailReviews)).toEqual([
    {
      id: `mail-review:${paymentId}`,
      userId,
      kind: 'payment_in_review',
      to: email,
      facts: { purchaseId, item: 'Token pack', ...money },
    },
  ])
  expect(await written(mailReviewsToTeam)).toEqual([
    {
      id: `mail-review-team:${paymentId}`,
      userId: null,
      kind: 'payment_in_review_for_team',
      to: world.ctx().brand.supportEmail,
      facts: { purchaseId, paymentId, ...money },
    },
  ])
  expect(await written(mailReviews, gone)).toEqual([])
  expect(await written(mailReviewsToTeam, gone)).toHaveLength(1)
})

test('who pays for a deleted account hears that the money goes back, when it comes and if they gave an address', async () => {
  const { world, mine, gone, all, deleteAccount, written } = await openAmongOthers()
  await deleteAccount()
  const payer = (name: string) => ({ payerEmail: `${name}@example.test` })
  const early = gone.pay(payer('early'))
  await gone.tell({ payments: [early] })
  world.advance(1_000)
  const payments = [early]
  let paymentId = ''
  for (const { purchase, tell, pay } of all) {
    const [first, second] = [pay(payer('first')), pay(payer('second'))]
    const others = [
      pay(),
      pay({ ...payer('back'), amountRefundedMinor: purchase.amountMinor }),
      pay({ ...payer('authorized'), status: 'authorized' }),
    ]
    await tell({ payments: [first, second, ...others] })
    payments.push(first, second, ...others)
    if (purchase === gone.purchase) paymentId = second.paymentId
  }
  const mailPayer = (ctx: Context, purchase: Purchase) =>
    mailPayerOfDeleted(ctx, purchase, factsOf({ payments }))
  const mails = await written(mailPayer, gone)
  expect(mails.map(({ to }) => to).toSorted()).toEqual([
    'first@example.test',
    'second@example.test',
  ])
  expect(mails.filter(({ to }) => to === 'second@example.test')).toEqual([
    {
      id: `mail-deleted:${paymentId}`,
      userId: null,
      kind: 'payment_after_deletion',
      to: 'second@example.test',
      facts: { paymentId, item: 'Token pack', paid: { amountMinor: 2_500, currency: 'USD' } },
    },
  ])
  expect(await written(mailPayer, mine)).toEqual([])
})
