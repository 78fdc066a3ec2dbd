import { expect, test } from 'vitest'
import { disputeOf, refundOf } from '#harness/fixture/purchase.ts'
import { openPaid } from '#harness/fixture/refund.ts'
import { callOf } from '#harness/fixture/fixture.ts'
import { purgeExpired } from '../data-rights/purge-expired.ts'
import { deleteAccount } from '../data-rights/delete-account.ts'
import { renderMail } from '../mail/render.ts'
import { days, minutes } from '../time.ts'
import { notifyOfRefunds } from './notify-of-refunds.ts'

type Paid = Awaited<ReturnType<typeof openPaid>>

/** The mails about money since the receipt, as "kind to address", each with its first sentence. */
async function mailed({ fixture }: Paid) {
  const rows = await fixture.read<{ kind: string; payload: string; toAddress: string }>(`
    SELECT kind, payload, to_address AS toAddress FROM mails
    WHERE kind IN ('refund', 'refund_failed', 'payment_disputed') ORDER BY created_at, id`)
  return rows.map((row) => ({
    kind: row.kind,
    to: row.toAddress,
    text: renderMail(row, fixture.ctx()).text,
  }))
}

const run = async ({ fixture }: Paid) => {
  await notifyOfRefunds(fixture.ctx())
  // The mails are sent, and deleted after thirty days.
  await fixture.drain()
  await purgeExpired(fixture.ctx())
}

test('a refund that Razorpay does not take for forty days mails its buyer once, and so does its end', async () => {
  const paid = await openPaid()
  await paid.requestAll()
  paid.fixture.advance(days(2))
  await run(paid)
  expect(await mailed(paid)).toEqual([])
  paid.fixture.advance(1)
  await run(paid)
  const { email } = paid.claims
  const late = {
    kind: 'refund_failed',
    to: email,
    text: expect.stringContaining('not been sent yet'),
  }
  expect(await mailed(paid)).toEqual([late])
  paid.fixture.advance(days(40))
  await run(paid)
  expect(await mailed(paid)).toEqual([])
  const sent = refundOf(paid.payment, { state: 'pending', beganAt: paid.fixture.now() })
  await paid.report({ refunds: [sent] })
  await paid.report({ refunds: [{ ...sent, state: 'processed' }] })
  await run(paid)
  const end = { kind: 'refund', to: email, text: expect.stringContaining('We sent your refund') }
  expect(await mailed(paid)).toEqual([end])
})

test('a buyer who asked and then deleted the account is written to at the address of the receipt', async () => {
  const paid = await openPaid()
  const { email } = paid.claims
  await paid.requestAll()
  paid.fixture.advance(minutes(1))
  await deleteAccount(paid.fixture.ctx(), { ...callOf(paid.claims), body: {} })
  paid.fixture.advance(days(2))
  await run(paid)
  await run(paid)
  expect(await mailed(paid)).toEqual([
    { kind: 'refund_failed', to: email, text: expect.anything() },
  ])
  const sent = refundOf(paid.payment, { beganAt: paid.fixture.now() })
  await paid.report({ refunds: [sent] })
  await run(paid)
  await run(paid)
  const [, end, ...more] = await mailed(paid)
  expect(end).toMatchObject({ kind: 'refund', to: email })
  expect(more).toEqual([])
})

test.each([
  ['it was closed without taking the money', 'won', 'was closed without returning the money'],
  ['it became a question again', 'inquiry', 'no longer holds'],
] as const)(
  'a dispute that takes tokens mails the buyer, and again when %s',
  async (_, state, says) => {
    const paid = await openPaid()
    const dispute = disputeOf(paid.payment, { phase: 'retrieval', state: 'inquiry', asOf: 1 })
    await paid.report({ disputes: [dispute] })
    expect(await mailed(paid)).toEqual([])
    await paid.report({ disputes: [{ ...dispute, state: 'open', asOf: 2 }] })
    const [mail] = await mailed(paid)
    expect(mail).toMatchObject({ kind: 'payment_disputed', to: paid.claims.email })
    expect(mail?.text).toContain('You have 0 tokens now.')
    await paid.report({ disputes: [{ ...dispute, state, asOf: 3 }] })
    const closed = (await mailed(paid)).filter(({ text }) => text.includes('back in your account'))
    expect(closed).toHaveLength(1)
    expect(closed[0]?.text).toContain(says)
    expect(closed[0]?.text).toContain('You have 1,000,000 tokens now.')
  },
)
