import { expect, test } from 'vitest'
import type { Act } from '../../../../src/contract/desk-acts.ts'
import { DESK_ACT } from '../../../../src/contract/desk-acts.ts'
import { createAccount } from '../../../../tests/harness/world/account.ts'
import { deskOf } from '../../../../tests/harness/world/desk.ts'
import { openPaid, use } from '../../../../tests/harness/world/refund.ts'
import { callOf, createWorld } from '../../../../tests/harness/world/world.ts'
import { listNotices } from '../../account/list-events.ts'
import { me } from '../../account/update-profile.ts'
import { listLedger } from '../../tokens/list-ledger.ts'

const adjust = (userId: string, tokens: number): Act => ({ kind: 'adjust_tokens', userId, tokens })

test('tokens are given and taken by hand, never below zero, and the customer reads who did it', async () => {
  const world = createWorld()
  const desk = deskOf(world)
  const claims = await createAccount(world.ctx())
  const { userId } = claims
  const left = async () => {
    const { tokens } = (await me(world.ctx(), callOf(claims))).user
    return tokens.total - tokens.used
  }
  expect(await desk.preview(adjust(userId, 1))).toContain(
    'The customer gets a notification: "Our support team added 1 token."',
  )
  const shown = await desk.preview(adjust(userId, 5_000))
  expect(shown).toEqual([
    '5,000 tokens are given: 0 left now, 5,000 afterwards.',
    'They cannot be refunded.',
    'The customer gets a notification: "Our support team added 5,000 tokens."',
  ])
  expect(await left()).toBe(0)
  await desk.carryOut(adjust(userId, 5_000), shown)
  expect(await left()).toBe(5_000)
  await expect(desk.carryOut(adjust(userId, 5_000), shown)).rejects.toThrow(DESK_ACT.changed)
  await use(world, claims, 1_000)
  world.advance(1_000)
  await expect(desk.carryOut(adjust(userId, -4_001))).rejects.toThrow(
    'The account has 4,000 tokens left. Remove fewer.',
  )
  await desk.carryOut(adjust(userId, -4_000))
  expect(await left()).toBe(0)

  const query = { limit: 10, kind: 'adjustment' } as const
  const { entries } = await listLedger(world.ctx(), { ...callOf(claims), query })
  expect(entries.map(({ tokens, item }) => [tokens, item])).toEqual([
    [-4_000, null],
    [5_000, null],
  ])
  const { notices } = await listNotices(world.ctx(), callOf(claims))
  expect(notices.map(({ text, device }) => [text, device])).toEqual([
    ['Our support team removed 4,000 tokens.', 'Our support'],
    ['Our support team added 5,000 tokens.', 'Our support'],
  ])
  expect((await desk.entries(userId)).map(({ kind }) => kind)).toEqual([
    'adjust_tokens',
    'adjust_tokens',
  ])
})

test('twenty clicks at once count once, and taking races with using for the same tokens', async () => {
  const world = createWorld()
  const desk = deskOf(world)
  const claims = await createAccount(world.ctx())
  const { userId } = claims
  const shown = await desk.preview(adjust(userId, 1_000))
  const clicks = Array.from({ length: 20 }, () => desk.carryOut(adjust(userId, 1_000), shown))
  const answers = await Promise.allSettled(clicks)
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const { total } = (await me(world.ctx(), callOf(claims))).user.tokens
  expect(total).toBe(1_000)
  expect(await desk.entries(userId)).toHaveLength(1)

  const races = [
    ...Array.from({ length: 5 }, () => use(world, claims, total).catch(() => null)),
    ...Array.from({ length: 5 }, () => desk.carryOut(adjust(userId, -total)).catch(() => null)),
  ]
  const won = (await Promise.all(races)).filter((answer) => answer !== null)
  expect(won).toHaveLength(1)
})

test('given tokens have no refund value, and tokens are taken from them first', async () => {
  const paid = await openPaid()
  const { world } = paid
  const { userId } = paid.claims
  const desk = deskOf(world)
  const hand = (tokens: number) => {
    world.advance(1_000)
    return desk.carryOut(adjust(userId, tokens))
  }
  await hand(50_000)
  expect(await paid.quote()).toMatchObject({ unusedTokens: 1_000_000, amount: 299_900 })
  await paid.use(100_000)
  // The oldest is used first: the plan, not the gift.
  expect(await paid.quote()).toMatchObject({ unusedTokens: 900_000, amount: 269_910 })
  await hand(-50_000)
  expect(await paid.quote()).toMatchObject({ unusedTokens: 900_000 })
  await hand(-100_000)
  expect(await paid.quote()).toMatchObject({ unusedTokens: 800_000, amount: 239_920 })
  await paid.askAll()
  expect(await paid.outcome()).toMatchObject({ left: 0 })
})

test('a refund in the dashboard leaves given tokens', async () => {
  const paid = await openPaid()
  await paid.use(1_000_000)
  paid.world.advance(1_000)
  await deskOf(paid.world).carryOut(adjust(paid.claims.userId, 5_000))
  await paid.report({ payments: [{ ...paid.payment, amountRefundedMinor: 299_900 }] })
  expect(await paid.outcome()).toMatchObject({ left: 5_000, shortfall: 1_000_000 })
})
