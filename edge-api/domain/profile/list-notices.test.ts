import { expect, test } from 'vitest'
import { openAccount, openSession } from '#harness/fixture/account.ts'
import { callOf } from '#harness/fixture/fixture.ts'
import { refundOf } from '#harness/fixture/purchase.ts'
import { openPaid } from '#harness/fixture/refund.ts'
import { days } from '../time.ts'
import { recordEvent } from '../account/record-event.ts'
import { listNotices, listSignIns } from './list-notices.ts'

test('a notice that is too old to be listed is not counted as unread', async () => {
  const { fixture, claims } = await openAccount()
  const record = () => {
    const ctx = fixture.ctx()
    return ctx.db.batch([recordEvent(ctx, { userId: claims.userId, kind: 'tokens_low' })])
  }
  await record()
  fixture.advance(days(60))
  await record()
  fixture.advance(days(31))
  const session = await openSession(fixture.ctx(), claims.userId)
  const { notices, unread } = await listNotices(fixture.ctx(), callOf(session))
  expect({ listed: notices.length, unread }).toEqual({ listed: 1, unread: 1 })
})

test('money is named with its amount, unless it is in a currency that we do not sell in', async () => {
  const { fixture, claims, payment, report } = await openPaid()
  const refunds = [
    refundOf(payment, { amountMinor: 199_950 }),
    refundOf(payment, { amountMinor: 1, currency: 'EUR' }),
  ]
  await report({ refunds })
  const { notices } = await listNotices(fixture.ctx(), callOf(claims))
  expect(notices.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      ...['Refunded: ₹1,999.50 for Pro.', 'Refunded: Pro.'],
      expect.stringMatching(/^Payment received: ₹[\d,.]+ for Pro\.$/),
    ]),
  )
})

test('a hundred wrong passwords push no sign-in off the list', async () => {
  const { fixture, claims } = await openAccount()
  const record = (kind: 'signed_in' | 'sign_in_failed', times: number) => {
    const ctx = fixture.ctx()
    const rows = Array.from({ length: times }, () =>
      recordEvent(ctx, { userId: claims.userId, kind }),
    )
    return ctx.db.batch({ rows })
  }
  await record('signed_in', 1)
  fixture.advance(days(1))
  await record('sign_in_failed', 100)
  const { events } = await listSignIns(fixture.ctx(), callOf(claims))
  expect(events[0]?.kind).toBe('sign_in_failed')
  expect(events.at(-1)?.kind).toBe('signed_in')
})
