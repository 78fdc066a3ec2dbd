import { expect, test } from 'vitest'
import { atDesk, createOperatorAccount } from '../../../tests/harness/operator.ts'
import { watchReads } from '../../../tests/harness/scans.ts'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { createPurchase, paymentFor, refundOf } from '../../../tests/harness/world/purchase.ts'
import { createWorld } from '../../../tests/harness/world/world.ts'
import { DESK } from '../../../src/contract/desk.ts'
import { accountEvents } from '../../db/schema/records.ts'
import { factsOf } from '../ports/payments.ts'
import { settle } from '../purchase/settle.ts'
import { days, toIso } from '../time.ts'
import { showEvidence } from './evidence.ts'
import { use } from '../../../tests/harness/world/refund.ts'

test('a dispute is answered with purchase, receipt, consent, sign-ins and use of its customer alone, by indexes', async () => {
  const world = createWorld()
  const operator = await createOperatorAccount(world.ctx())
  const [buyer, other] = [await createAccount(world.ctx()), await createAccount(world.ctx())]
  const { db, newId } = world.ctx()
  const signedIn = ({ userId }: typeof buyer, device: string, kind = 'signed_in') =>
    db.insert(accountEvents).values({
      id: newId('evt'),
      userId,
      kind,
      device,
      ipPrefix: '192.0.2.0/24',
      createdAt: world.now(),
    })
  await db.batch([
    signedIn(buyer, 'Safari on Mac'),
    signedIn(buyer, 'Edge on Windows', 'signed_in_new_device'),
    signedIn(other, 'Foreign device'),
  ])
  const purchase = await createPurchase(world.ctx(), buyer.userId)
  const paid = paymentFor(purchase)
  const respondBy = world.now() + days(5)
  const dispute = refundOf(paid, {
    kind: 'dispute',
    state: 'open',
    phase: 'chargeback',
    amountMinor: 2_500,
    beganAt: world.now(),
    respondBy,
  })
  const refund = refundOf(paid, { amountMinor: 100, beganAt: world.now() })
  const facts = factsOf({ payments: [paid], refundsAndDisputes: [dispute, refund] })
  await settle(world.ctx(), purchase, facts)

  const desk = await watchReads({ now: world.now() })
  const read = (disputeId: string) =>
    showEvidence(desk.ctx, { ...atDesk(operator), params: { disputeId } })
  const shown = await read(dispute.id)
  expect(desk.ctx.db.trips()).toBe(2)
  expect(shown.dispute).toMatchObject({
    id: dispute.id,
    state: 'open',
    respondBy: toIso(respondBy),
    userId: buyer.userId,
  })
  const told = Object.fromEntries(shown.parts.flatMap((part) => part.facts))
  expect(told).toMatchObject({
    Purchase: purchase.id,
    Price: 'USD 25.00',
    Refunded: 'USD 1.00',
    'Tokens granted': toIso(world.now()),
    Issued: toIso(world.now()),
    'Terms accepted with the order': expect.stringContaining(toIso(purchase.createdAt)),
    'Tokens of this purchase used': '0 of 1,000,000',
  })
  const text = JSON.stringify(shown.parts)
  expect(text).toContain('signed in · Safari on Mac · 192.0.2.0/24')
  expect(text).toContain('signed in new device · Edge on Windows')
  expect(text).not.toContain('Foreign device')
  await expect(read(refund.id), 'a refund').rejects.toThrow(DESK.noDispute)
  await expect(read('disp_unknown')).rejects.toThrow(DESK.noDispute)

  expect(await desk.scans()).toEqual([])
})

test('the evidence counts the used tokens of the disputed purchase, not of a later one', async () => {
  const world = createWorld()
  const buyer = await createAccount(world.ctx())
  const settled = async () => {
    world.advance(days(1))
    const purchase = await createPurchase(world.ctx(), buyer.userId)
    const paid = paymentFor(purchase)
    await settle(world.ctx(), purchase, factsOf({ payments: [paid] }))
    return { purchase, paid }
  }
  const first = await settled()
  await use(world, buyer, 900_000)
  const later = await settled()
  await use(world, buyer, 300_000)
  const told = async ({ purchase, paid }: typeof first) => {
    const dispute = refundOf(paid, { kind: 'dispute', state: 'open', beganAt: world.now() })
    await settle(world.ctx(), purchase, factsOf({ refundsAndDisputes: [dispute] }))
    const operator = await createOperatorAccount(world.ctx())
    const { parts } = await showEvidence(world.ctx(), {
      ...atDesk(operator),
      params: { disputeId: dispute.id },
    })
    return Object.fromEntries(parts.flatMap((part) => part.facts))['Tokens of this purchase used']
  }
  expect(await told(later)).toBe('200,000 of 1,000,000')
  expect(await told(first)).toBe('1,000,000 of 1,000,000')
})

test('the evidence begins with the sign-ins of the day of the order, however many came after', async () => {
  const world = createWorld()
  const buyer = await createAccount(world.ctx())
  const purchase = await createPurchase(world.ctx(), buyer.userId)
  const paid = paymentFor(purchase)
  const { db, newId } = world.ctx()
  const signIns = Array.from({ length: 111 }, (_, day) => ({
    id: newId('evt'),
    userId: buyer.userId,
    kind: 'signed_in',
    device: `Day ${day}`,
    createdAt: world.now() + days(day) - days(1),
  }))
  await db.batch([db.insert(accountEvents).values(signIns)])
  const beganAt = world.now() + days(110)
  const dispute = refundOf(paid, { kind: 'dispute', state: 'open', beganAt })
  await settle(world.ctx(), purchase, factsOf({ payments: [paid], refundsAndDisputes: [dispute] }))
  const operator = await createOperatorAccount(world.ctx())
  const params = { disputeId: dispute.id }
  const { parts } = await showEvidence(world.ctx(), { ...atDesk(operator), params })
  const facts = parts.find(({ title }) => title.startsWith('Sign-ins'))?.facts ?? []
  expect(facts.slice(0, 2).map(([, text]) => text)).toEqual([
    'signed in · Day 1',
    'signed in · Day 2',
  ])
})
