import { newLink } from '../../../../tests/harness/world/rows.ts'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Act } from '../../../../src/contract/desk-acts.ts'
import { DESK } from '../../../../src/contract/desk.ts'
import { DESK_ACT } from '../../../../src/contract/desk-acts.ts'
import { setUpTotp } from '../../../../tests/harness/factors.ts'
import { cheapHash, createAccount } from '../../../../tests/harness/world/account.ts'
import { deskOf } from '../../../../tests/harness/world/desk.ts'
import { openUnpaidPurchase, paymentFor } from '../../../../tests/harness/world/purchase.ts'
import { callOf, createWorld } from '../../../../tests/harness/world/world.ts'
import { addressCorrections } from '../../../db/schema/desk.ts'
import { accountEvents } from '../../../db/schema/records.ts'
import { sessions } from '../../../db/schema/sessions.ts'
import { takeExport } from '../../../../tests/harness/world/take-export.ts'
import { me } from '../../account/update-profile.ts'

async function openBuyer() {
  const opened = await openUnpaidPurchase({}, createWorld())
  await opened.report({ payments: [paymentFor(opened.purchase)] })
  const { world, claims } = opened
  const { userId } = claims
  await world.read(
    sql`UPDATE users SET email_verified_at = 1, google_subject = ${userId} WHERE id = ${userId}`,
  )
  return { ...opened, userId, desk: deskOf(world) }
}

test('the operator gets the export that the customer can take, and nothing secret', async () => {
  const { world, claims, userId, desk } = await openBuyer()
  await setUpTotp(world.ctx(), claims)
  const wanted: Act = { kind: 'export_data', userId }
  const shown = await desk.preview(wanted)
  expect(shown).toContain(
    'Send it to the address of the account, which is verified, and to no other.',
  )
  expect(await desk.entries(userId)).toEqual([])
  const { data } = await desk.carryOut(wanted, shown)
  const own = await takeExport(world.ctx(), claims)
  // The customer's own export, taken later, includes the operator's export as an event and an act.
  const before = { events: data?.['events'], actsOfSupport: [] }
  expect(data).toEqual({ exportedAt: own.exportedAt, ...own.data, ...before })
  expect(data?.['receipts']).toHaveLength(1)
  expect(JSON.stringify(data)).not.toMatch(/passwordHash|"secret"|\$scrypt/)
  expect(await desk.entries(userId)).toMatchObject([{ kind: 'export_data', reason: 'Ticket 7' }])
  const { events } = (await takeExport(world.ctx(), claims)).data
  expect(JSON.stringify(events)).toContain('"device":"Our support"')
})

test('the operator deletes an account as its user does: receipts, ledger and the entry stay, and all else ends', async () => {
  const { world, claims, userId, desk } = await openBuyer()
  const wanted: Act = { kind: 'delete_account', userId }
  const shown = await desk.preview(wanted)
  expect(shown).toEqual([
    'The account is deleted permanently: name, address, sessions, history, emails and second steps are erased.',
    '1 paid purchase with receipts and the ledger stay, as tax law requires.',
    '1,000,000 tokens can no longer be used, and nothing is refunded automatically: if the customer wants a refund, do that first.',
    'Its address gets a last email. Tickets and applications from it are deleted too.',
  ])
  expect((await me(world.ctx(), callOf(claims))).user.id).toBe(userId)
  const ctx = world.ctx()
  await newLink(ctx, userId, 'verify')
  const address = { email: claims.email, emailKey: claims.email }
  await ctx.db.batch([
    ctx.db.insert(addressCorrections).values({ userId, ...address, correctedAt: ctx.now }),
  ])
  const clicks = [1, 2, 3, 4, 5].map(() => desk.carryOut(wanted, shown))
  const answers = await Promise.allSettled(clicks)
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(me(world.ctx(), callOf(claims))).rejects.toThrow('Please sign in')
  expect(
    await world.read(
      sql`SELECT username, email, password_hash, google_subject FROM users WHERE id = ${userId}`,
    ),
  ).toEqual([{ username: 'deleted', email: 'deleted', password_hash: '', google_subject: null }])
  expect(
    await world.read(sql`SELECT
      (SELECT count(*) FROM receipts r JOIN purchases p ON p.id = r.purchase_id WHERE p.user_id = ${userId}) AS receipts,
      (SELECT count(*) FROM ledger WHERE user_id = ${userId}) AS ledger,
      (SELECT count(*) FROM mails WHERE user_id = ${userId}) AS mails,
      (SELECT count(*) FROM mailed_links WHERE user_id = ${userId}) AS links,
      (SELECT count(*) FROM address_corrections WHERE user_id = ${userId}) AS corrections,
      (SELECT count(*) FROM account_events WHERE user_id = ${userId}) AS events`),
  ).toEqual([{ receipts: 1, ledger: 1, mails: 0, links: 0, corrections: 0, events: 1 }])
  for (const table of [sessions, accountEvents]) {
    const kept = sql`SELECT device, ip_prefix FROM ${table} WHERE user_id = ${userId}`
    expect(await world.read(kept)).toEqual([{ device: '', ip_prefix: '' }])
  }
  expect(await desk.entries(userId)).toMatchObject([{ kind: 'delete_account' }])
})

test('nothing can be done to an account that was deleted after its page was opened', async () => {
  const { userId, purchase, desk } = await openBuyer()
  await desk.carryOut({ kind: 'delete_account', userId })
  const acts: Act[] = [
    { kind: 'refund', userId, purchaseId: purchase.id },
    { kind: 'adjust_tokens', userId, tokens: 5 },
    { kind: 'correct_address', userId, email: 'new@example.test' },
    { kind: 'undo_correction', userId },
    { kind: 'export_data', userId },
    { kind: 'delete_account', userId },
  ]
  for (const wanted of acts) {
    const said = wanted.kind === 'refund' ? DESK_ACT.deleted : DESK.noCustomer
    await expect(desk.carryOut(wanted), wanted.kind).rejects.toThrow(said)
  }
  expect(await desk.entries(userId)).toHaveLength(1)
})

test('an account that is suspended, too, is exported and deleted', async () => {
  const world = createWorld()
  const desk = deskOf(world)
  const { userId } = await createAccount(world.ctx(), { passwordHash: cheapHash() })
  await desk.carryOut({ kind: 'suspend', userId })
  world.advance(1)
  const { data } = await desk.carryOut({ kind: 'export_data', userId })
  expect(data?.['user']).toMatchObject({ id: userId, isEmailVerified: false })
  world.advance(1)
  await desk.carryOut({ kind: 'delete_account', userId })
  expect((await desk.entries(userId)).map(({ kind }) => kind)).toEqual([
    'delete_account',
    'export_data',
    'suspend',
  ])
})
