import { expect, test } from 'vitest'
import type { EmptyWorld } from '../../../tests/harness/world/empty-world.ts'
import { providerId, refundOf } from '../../../tests/harness/world/purchase.ts'
import { openPaid } from '../../../tests/harness/world/refund.ts'
import { factsOf } from '../ports/payments.ts'
import { settle } from './settle.ts'

type Paid = Awaited<ReturnType<typeof openPaid>>

/** A paid token pack of USD 25.00: 1 % of it is 10,000 tokens. */
const openPack = (world?: EmptyWorld) => openPaid({}, world)

/** The alerts of settling at the moment when something is owed. */
async function alertsOf({ world, purchase }: Paid) {
  await settle(world.ctx(), purchase, factsOf({}))
  return world.alerts
}

async function stateOf({ outcome }: Paid) {
  const { left, shortfall, owed } = await outcome()
  return { left, shortfall, sent: owed.map(({ isDone }) => isDone) }
}

test('each goodwill refund takes its tokens when it is owed, and is done when its part of the money went back', async () => {
  const paid = await openPack()
  const other = await openPack(paid.world)
  await paid.giveBack(500)
  expect(await alertsOf(paid)).toEqual([])
  expect(await stateOf(paid)).toEqual({ left: 800_000, shortfall: 0, sent: [false] })
  const first = refundOf(paid.payment, { amountMinor: 500, state: 'open' })
  await paid.report({ refundsAndDisputes: [first] })
  expect(await stateOf(paid)).toEqual({ left: 800_000, shortfall: 0, sent: [true] })

  await other.giveBack(700)
  await paid.giveBack(300)
  await paid.report({})
  expect(await stateOf(paid)).toEqual({ left: 680_000, shortfall: 0, sent: [true, false] })
  await paid.report({ refundsAndDisputes: [refundOf(paid.payment, { amountMinor: 300 })] })
  expect(await stateOf(paid)).toEqual({ left: 680_000, shortfall: 0, sent: [true, true] })
  expect(await stateOf(other)).toEqual({ left: 720_000, shortfall: 0, sent: [false] })

  // The second refund now pays the first debt, whose own refund came back.
  await paid.report({ refundsAndDisputes: [{ ...first, state: 'undone' }] })
  expect(await stateOf(paid)).toEqual({ left: 680_000, shortfall: 0, sent: [false, false] })
})

/** Two things happen in one millisecond. */
async function inOrder(order: string, debt: () => Promise<unknown>, news: () => Promise<unknown>) {
  if (order === 'news first') await news()
  await debt()
  if (order === 'debt first') await news()
}

test.each([
  ['news first', false],
  ['debt first', true],
])('a refund of the millisecond in which another becomes due fails: %s', async (order, paysIt) => {
  const paid = await openPack()
  const { payment, world, purchase } = paid
  const made = refundOf(payment, { amountMinor: 400, beganAt: world.now() })
  await inOrder(
    order,
    () => paid.giveBack(400),
    () => settle(world.ctx(), purchase, factsOf({ refundsAndDisputes: [made] })),
  )
  await paid.report({})
  expect(await stateOf(paid)).toMatchObject({ sent: [paysIt] })
  await paid.report({ refundsAndDisputes: [{ ...made, state: 'undone' }] })
  expect(await stateOf(paid)).toMatchObject({ sent: [false] })
  await paid.report({ refundsAndDisputes: [refundOf(payment, { amountMinor: 400 })] })
  expect(await stateOf(paid)).toMatchObject({ sent: [true] })
})

test('a goodwill refund is done when its money was lost in a dispute, and takes its tokens once', async () => {
  const paid = await openPack()
  await paid.giveBack(500)
  const dispute = refundOf(paid.payment, {
    id: providerId('disp'),
    kind: 'dispute',
    amountMinor: 499,
    beganAt: 2,
  })
  await paid.report({ refundsAndDisputes: [dispute] })
  expect(await stateOf(paid)).toEqual({ left: 800_000, shortfall: 0, sent: [false] })
  await paid.report({ refundsAndDisputes: [refundOf(paid.payment, { amountMinor: 1 })] })
  expect(await stateOf(paid)).toEqual({ left: 800_000, shortfall: 0, sent: [true] })
})

test('when all of the money went back or is disputed, all tokens go back, however the parts were rounded', async () => {
  const paid = await openPack()
  await paid.use(200_001)
  // 799,999 tokens are worth USD 20.00, to the nearest cent.
  await paid.askAll()
  await paid.report({ refundsAndDisputes: [refundOf(paid.payment, { amountMinor: 2_000 })] })
  expect(await stateOf(paid)).toEqual({ left: 0, shortfall: 0, sent: [true] })
  const dispute = { id: providerId('disp'), kind: 'dispute', state: 'open' } as const
  await paid.report({
    refundsAndDisputes: [refundOf(paid.payment, { ...dispute, amountMinor: 500 })],
  })
  expect(await stateOf(paid)).toEqual({ left: 0, shortfall: 200_001, sent: [true] })
})
