import { createClient } from '@libsql/client/http'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createAccount } from '../../../tests/harness/world/account.ts'
import { deskOf } from '../../../tests/harness/world/desk.ts'
import { readAllRows } from '../../../tests/harness/world/empty-world.ts'
import { type JobBench, openJobBench } from '../../../tests/harness/world/job-bench.ts'
import { createPurchase, paymentFor, refundOf } from '../../../tests/harness/world/purchase.ts'
import { PLAN_IN_INR, use } from '../../../tests/harness/world/refund.ts'
import { taxed } from '../../../tests/harness/world/taxed.ts'
import { callOf, databaseUrl } from '../../../tests/harness/world/world.ts'
import { describeReport } from '../../../tools/ops/reconcile.ts'
import { brokenRules } from '../../../tools/ops/verify-ledger.ts'
import { purchases } from '../../db/schema/purchases.ts'
import { factsOf } from '../ports/payments.ts'
import { days, hours, minutes } from '../time.ts'
import { askRefund, refundQuote } from './ask-refund.ts'
import { auditPayments } from './audit-payments.ts'
import { requirePurchase } from './find-purchase.ts'
import { reconcilePurchases } from './reconcile.ts'
import { settle } from './settle.ts'

const client = createClient({ url: databaseUrl() })
const state: { shop?: Awaited<ReturnType<typeof openShop>> } = {}

beforeAll(async () => {
  state.shop = await openShop()
})

afterAll(async () => {
  await state.shop?.close()
  client.close()
})

type Named = 'kept' | 'returned' | 'inPart' | 'asked' | 'sent' | 'disputed' | 'odd' | 'unpaid'
type Ids = Record<Named, { purchase: string; payment: string; user: string }>

/** What somebody does to the database, or to us, with what each check says of it. */
interface Damage {
  what: string
  /** Statements that somebody sends who has the database's token, past its guards; or what somebody makes us do. */
  by: ((ids: Ids) => string) | ((ids: Ids) => Promise<void>)
  /** The words of a broken rule; none when the database alone cannot tell. */
  rule: string | null
  /** The word with which reconcile begins; none when it cannot tell. */
  reconcile: 'Contradicted' | 'Settled' | null
}

const DUE = 'the tokens that are due back were taken, or are known to be missing'
const BACKED = 'a grant has captured money of its purchase behind it'
const BALANCE = 'a balance is the sum of its ledger entries'
const STATUS = 'a purchase has the status and the time of payment of its money'
const DONE = 'an owed refund is done when its money went back, and only then'
const ENTERED = 'a grant is entered in the ledger once'
const BY_HAND = 'tokens that were given or taken by hand have the act of an operator'
const ASKED = 'a refund that was asked for took its tokens, and is their price'
const LEFT = 'what is left of purchases and gifts adds up to the balance'
const OLDEST = 'the oldest tokens are used first'
const NUMBERS = 'receipts and credit notes are numbered from 1 to the last number given'
const TAX = 'the tax of a receipt is the tax of its price'
const NOTE_TAX = 'credit notes take back the tax of the money that went back'
const NOTE = 'a refund that went back has its credit note'
const CANCELLED = 'a credit note has its refund, and is cancelled when that came back'
const INVOICE = 'a tax invoice says what its buyer said'
const RECEIPT = 'a grant has a receipt'
const ORDER = 'receipts and credit notes are numbered in the order of their time'
const TRIED = 'an owed refund is tried until it is done, and knows the refund that was sent'
const SOLD = 'a receipt says what was sold'
const WHOLE = 'captured money backs a grant or is owed back whole'

const DAMAGES: Damage[] = [
  {
    what: 'A signed webhook tells of a captured payment that Razorpay does not know',
    by: async ({ unpaid }) => forgeCapture(unpaid.purchase),
    rule: null,
    reconcile: 'Contradicted',
  },
  {
    what: 'The tokens of a refunded purchase are put back by a plain INSERT',
    by: async ({ returned: { purchase, user } }) => {
      await client.execute(`
        INSERT INTO ledger (ref, user_id, kind, tokens, purchase_id, payment_mode, created_at)
        VALUES ('restoration:x', '${user}', 'restoration', 1000000, '${purchase}', 'emulator', 1)`)
    },
    rule: DUE,
    reconcile: null,
  },
  {
    what: 'A refund that was asked for is marked as done',
    by: ({ asked }) =>
      `UPDATE owed_refunds SET done_at = 1, due_at = NULL WHERE payment_id = '${asked.payment}'`,
    rule: DONE,
    reconcile: null,
  },
  {
    what: 'A refund that went back is set to undone',
    by: ({ returned }) =>
      `UPDATE refunds_and_disputes SET state = 'undone' WHERE payment_id = '${returned.payment}'`,
    rule: DUE,
    reconcile: 'Contradicted',
  },
  {
    what: 'The last credit note is deleted',
    by: () => 'DELETE FROM credit_notes WHERE number = (SELECT max(number) FROM credit_notes)',
    rule: NOTE,
    reconcile: null,
  },
  {
    what: 'The tax of a receipt is changed',
    by: ({ kept }) =>
      `UPDATE receipts SET cgst_minor = 1, sgst_minor = 1 WHERE purchase_id = '${kept.purchase}'`,
    rule: TAX,
    reconcile: null,
  },
  {
    what: 'A receipt becomes an export without tax',
    by: ({
      sent,
    }) => `UPDATE receipts SET supply = 'export', tax_rate = 0, cgst_minor = 0, sgst_minor = 0, igst_minor = 0
      WHERE purchase_id = '${sent.purchase}'`,
    rule: TAX,
    reconcile: null,
  },
  {
    what: 'The tax of a credit note is changed',
    by: ({ sent }) =>
      `UPDATE credit_notes SET igst_minor = 0 WHERE purchase_id = '${sent.purchase}'`,
    rule: NOTE_TAX,
    reconcile: null,
  },
  {
    what: 'The amount of a credit note is changed',
    by: ({ returned }) =>
      `UPDATE credit_notes SET amount_minor = 100 WHERE purchase_id = '${returned.purchase}'`,
    rule: NOTE,
    reconcile: null,
  },
  {
    what: 'A cancellation of a credit note is made up',
    by: ({ returned }) => `INSERT INTO credit_notes SELECT refund_id, true, purchase_id, series,
      (SELECT 1 + max(number) FROM credit_notes), supply, -amount_minor, -cgst_minor, -sgst_minor, -igst_minor, 1
      FROM credit_notes WHERE purchase_id = '${returned.purchase}'`,
    rule: CANCELLED,
    reconcile: null,
  },
  {
    what: 'The last receipt is deleted, and the highest number set back',
    by: () => `DELETE FROM receipts WHERE number = (SELECT max(number) FROM receipts);
      UPDATE document_series SET highest = highest - 1 WHERE document = 'receipt'`,
    rule: RECEIPT,
    reconcile: null,
  },
  {
    what: 'A sale is deleted, with its tokens and its receipt, as if it had never been',
    by: ({
      inPart: { purchase, user },
    }) => `DELETE FROM credit_notes WHERE purchase_id = '${purchase}';
      DELETE FROM receipts WHERE purchase_id = '${purchase}'; DELETE FROM lots WHERE user_id = '${user}';
      DELETE FROM ledger WHERE user_id = '${user}'; DELETE FROM balances WHERE user_id = '${user}'; DELETE FROM grants WHERE purchase_id = '${purchase}';
      DELETE FROM refunds_and_disputes WHERE payment_id IN (SELECT id FROM payments WHERE purchase_id = '${purchase}');
      DELETE FROM payments WHERE purchase_id = '${purchase}'; DELETE FROM purchase_causes WHERE purchase_id = '${purchase}';
      DELETE FROM purchases WHERE id = '${purchase}'`,
    rule: NUMBERS,
    reconcile: 'Settled',
  },
  {
    what: 'A balance is raised',
    by: ({ kept }) => `UPDATE balances SET total = total + 5000000 WHERE user_id = '${kept.user}'`,
    rule: BALANCE,
    reconcile: null,
  },
  {
    what: 'A use of tokens is deleted',
    by: ({ kept }) => `DELETE FROM ledger WHERE user_id = '${kept.user}' AND kind = 'use'`,
    rule: BALANCE,
    reconcile: null,
  },
  {
    what: 'Tokens of a gift become tokens of a purchase, which can be refunded',
    by: ({ kept }) => `UPDATE lots SET left = left + 5000 WHERE purchase_id = '${kept.purchase}';
      UPDATE lots SET left = left - 5000 WHERE user_id = '${kept.user}' AND purchase_id IS NULL`,
    rule: OLDEST,
    reconcile: null,
  },
  {
    what: 'Used tokens of a purchase are unused again',
    by: ({ kept }) => `UPDATE lots SET left = left + 5000 WHERE purchase_id = '${kept.purchase}'`,
    rule: LEFT,
    reconcile: null,
  },
  {
    what: 'Tokens by hand are entered without the act of an operator',
    by: ({ kept }) => `INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
      VALUES ('adjustment:act_none', '${kept.user}', 'adjustment', 900000, 'emulator', 1);
      UPDATE balances SET total = total + 900000 WHERE user_id = '${kept.user}'`,
    rule: BY_HAND,
    reconcile: null,
  },
  {
    what: 'A second trial is entered',
    by: ({ kept }) => `INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
      VALUES ('trial:again', '${kept.user}', 'trial', 20000, 'emulator', 1);
      UPDATE balances SET total = total + 20000 WHERE user_id = '${kept.user}'`,
    rule: 'a trial was given once, to an account that proved its address',
    reconcile: null,
  },
  {
    what: 'A grant gives ten times as many tokens, and its entry and the balance too',
    by: ({
      kept: { purchase, user },
    }) => `UPDATE grants SET tokens = 10 * tokens WHERE purchase_id = '${purchase}';
      UPDATE ledger SET tokens = 10 * tokens WHERE ref = 'grant:${purchase}';
      UPDATE balances SET total = (SELECT sum(tokens) FROM ledger WHERE user_id = '${user}' AND kind <> 'use')
        WHERE user_id = '${user}'`,
    rule: BACKED,
    reconcile: null,
  },
  {
    what: 'A grant goes to another account',
    by: ({ kept, disputed }) =>
      `UPDATE grants SET user_id = '${kept.user}' WHERE purchase_id = '${disputed.purchase}'`,
    rule: BACKED,
    reconcile: null,
  },
  {
    what: 'A purchase and its payment are made dearer, so that more can be asked back',
    by: ({
      disputed: { purchase, payment },
    }) => `UPDATE purchases SET amount_minor = 250000 WHERE id = '${purchase}';
      UPDATE payments SET amount_minor = 250000 WHERE id = '${payment}'`,
    rule: DUE,
    reconcile: 'Contradicted',
  },
  {
    what: 'A purchase and its payment in rupees become one in dollars',
    by: ({
      kept: { purchase, payment },
    }) => `UPDATE purchases SET currency = 'USD' WHERE id = '${purchase}';
      UPDATE payments SET currency = 'USD' WHERE id = '${payment}'`,
    rule: null,
    reconcile: 'Contradicted',
  },
  {
    what: 'A refund is made up, and its tokens are taken as for a true one',
    by: async ({ kept }) => forgeRefund(kept),
    rule: null,
    reconcile: 'Contradicted',
  },
  {
    what: 'A refund becomes larger than it was',
    by: ({ inPart }) =>
      `UPDATE refunds_and_disputes SET amount_minor = 2 * amount_minor WHERE payment_id = '${inPart.payment}'`,
    rule: DUE,
    reconcile: 'Contradicted',
  },
  {
    what: 'A refund that was asked for and sent is open again, so that it would be sent twice',
    by: ({ sent }) =>
      `UPDATE owed_refunds SET done_at = NULL, due_at = 1 WHERE payment_id = '${sent.payment}'`,
    rule: DONE,
    reconcile: null,
  },
  {
    what: 'More is asked back than the tokens were worth',
    by: ({ asked }) =>
      `UPDATE owed_refunds SET amount_minor = 299900 WHERE payment_id = '${asked.payment}'`,
    rule: ASKED,
    reconcile: null,
  },
  {
    what: 'Money that matches no purchase is owed back no more',
    by: ({ odd }) => `DELETE FROM owed_refunds WHERE purchase_id = '${odd.purchase}'`,
    rule: WHOLE,
    reconcile: 'Settled',
  },
  {
    what: 'An open dispute is set to won',
    by: ({ disputed }) =>
      `UPDATE refunds_and_disputes SET state = 'undone' WHERE payment_id = '${disputed.payment}'`,
    rule: DUE,
    reconcile: 'Settled',
  },
  {
    what: 'A note of missing tokens is deleted',
    by: ({ inPart }) => `DELETE FROM shortfalls WHERE purchase_id = '${inPart.purchase}'`,
    rule: DUE,
    reconcile: null,
  },
  {
    what: 'A refunded plan is set to paid',
    by: ({ sent }) => `UPDATE purchases SET status = 'paid' WHERE id = '${sent.purchase}'`,
    rule: STATUS,
    reconcile: null,
  },
  {
    what: 'A plan is made to begin later, so that it ends later',
    by: ({ kept }) =>
      `UPDATE purchases SET paid_at = paid_at + 9000000000 WHERE id = '${kept.purchase}'`,
    rule: STATUS,
    reconcile: null,
  },
  {
    what: 'A use of tokens is made smaller, in its day and in the balance too',
    by: ({
      kept: { user },
    }) => `UPDATE ledger SET tokens = -1 WHERE user_id = '${user}' AND kind = 'use';
      UPDATE balances SET used = 1 WHERE user_id = '${user}'; UPDATE usage_days SET tokens = 1 WHERE user_id = '${user}'`,
    rule: LEFT,
    reconcile: null,
  },
  {
    what: 'The usage of a day is lowered',
    by: ({ kept }) => `UPDATE usage_days SET tokens = 1 WHERE user_id = '${kept.user}'`,
    rule: 'the usage of a day is the sum of its ledger entries',
    reconcile: null,
  },
  {
    what: 'A balance is deleted',
    by: ({ kept }) => `DELETE FROM balances WHERE user_id = '${kept.user}'`,
    rule: 'an account with ledger entries has a balance',
    reconcile: null,
  },
  {
    what: 'What is left of a purchase is deleted',
    by: ({ sent }) => `DELETE FROM lots WHERE purchase_id = '${sent.purchase}'`,
    rule: OLDEST,
    reconcile: null,
  },
  {
    what: 'The entry of a grant is deleted',
    by: ({ kept: { purchase } }) => `DELETE FROM lots WHERE purchase_id = '${purchase}';
      DELETE FROM ledger WHERE ref = 'grant:${purchase}'`,
    rule: ENTERED,
    reconcile: null,
  },
  {
    what: 'A grant is dated later, so that it can be asked back for longer',
    by: ({ kept: { purchase } }) => `UPDATE grants SET granted_at = granted_at + 9000000000
        WHERE purchase_id = '${purchase}';
      UPDATE purchases SET paid_at = paid_at + 9000000000 WHERE id = '${purchase}'`,
    rule: ENTERED,
    reconcile: null,
  },
  {
    what: 'A gift becomes ten times as large, in the balance and what is left of it too',
    by: ({
      kept: { user },
    }) => `UPDATE ledger SET tokens = 50000 WHERE user_id = '${user}' AND kind = 'adjustment';
      UPDATE lots SET tokens = 50000, left = 50000 WHERE user_id = '${user}' AND purchase_id IS NULL;
      UPDATE balances SET total = total + 45000 WHERE user_id = '${user}'`,
    rule: BY_HAND,
    reconcile: null,
  },
  {
    what: 'A plan has more days, which no operator gave',
    by: ({ kept }) => `UPDATE purchases SET extra_days = 365 WHERE id = '${kept.purchase}'`,
    rule: 'a plan that was extended has the act of an operator',
    reconcile: null,
  },
  {
    what: 'A plan is sold for more days than it was',
    by: ({ kept }) => `UPDATE purchases SET access_days = 730 WHERE id = '${kept.purchase}'`,
    rule: SOLD,
    reconcile: null,
  },
  {
    what: 'A purchase goes to another account',
    by: ({ kept, disputed }) =>
      `UPDATE purchases SET user_id = '${kept.user}' WHERE id = '${disputed.purchase}'`,
    rule: BACKED,
    reconcile: null,
  },
  {
    what: 'A purchase of the emulator becomes a live one',
    by: ({ kept }) => `UPDATE purchases SET payment_mode = 'live' WHERE id = '${kept.purchase}'`,
    rule: BACKED,
    reconcile: null,
  },
  {
    what: 'A purchase that nobody paid is set to paid',
    by: ({ unpaid }) => `UPDATE purchases SET status = 'paid' WHERE id = '${unpaid.purchase}'`,
    rule: STATUS,
    reconcile: null,
  },
  {
    what: 'A payment is captured no more',
    by: ({ kept }) => `UPDATE payments SET rank = 2 WHERE id = '${kept.payment}'`,
    rule: BACKED,
    reconcile: null,
  },
  {
    what: 'All of a payment is said to have gone back',
    by: ({ kept }) =>
      `UPDATE payments SET amount_refunded_minor = amount_minor WHERE id = '${kept.payment}'`,
    rule: DUE,
    reconcile: null,
  },
  {
    what: 'A refund becomes that of another payment',
    by: ({ inPart, kept }) =>
      `UPDATE refunds_and_disputes SET payment_id = '${kept.payment}' WHERE payment_id = '${inPart.payment}'`,
    rule: DUE,
    reconcile: 'Contradicted',
  },
  {
    what: 'A refund becomes one of another currency',
    by: ({ returned }) =>
      `UPDATE refunds_and_disputes SET currency = 'INR' WHERE payment_id = '${returned.payment}'`,
    rule: null,
    reconcile: 'Settled',
  },
  {
    what: 'A dispute becomes smaller than it is',
    by: ({ disputed }) =>
      `UPDATE refunds_and_disputes SET amount_minor = 1 WHERE payment_id = '${disputed.payment}'`,
    rule: DUE,
    reconcile: 'Settled',
  },
  {
    what: 'A dispute is deleted',
    by: ({ disputed }) =>
      `DELETE FROM refunds_and_disputes WHERE payment_id = '${disputed.payment}'`,
    rule: DUE,
    reconcile: 'Settled',
  },
  {
    what: 'A refund that was asked for is owed no more, and its tokens stay away',
    by: ({ asked }) => `DELETE FROM owed_refunds WHERE payment_id = '${asked.payment}'`,
    rule: DUE,
    reconcile: null,
  },
  {
    what: 'Less is owed back than was asked for',
    by: ({ asked }) =>
      `UPDATE owed_refunds SET amount_minor = 100 WHERE payment_id = '${asked.payment}'`,
    rule: ASKED,
    reconcile: null,
  },
  {
    what: 'More tokens are noted as missing, so that a later refund takes fewer',
    by: ({ inPart }) =>
      `UPDATE shortfalls SET tokens = tokens + 1 WHERE purchase_id = '${inPart.purchase}'`,
    rule: DUE,
    reconcile: null,
  },
  {
    what: 'A receipt moves to another year',
    by: ({ kept }) => `UPDATE receipts SET series = '25-26' WHERE purchase_id = '${kept.purchase}'`,
    rule: NUMBERS,
    reconcile: null,
  },
  {
    what: 'A number of a receipt is skipped',
    by: () => `UPDATE document_series SET highest = highest + 1 WHERE document = 'receipt'`,
    rule: NUMBERS,
    reconcile: null,
  },
  {
    what: 'A credit note moves to another purchase',
    by: ({ kept, sent }) =>
      `UPDATE credit_notes SET purchase_id = '${kept.purchase}' WHERE purchase_id = '${sent.purchase}'`,
    rule: NOTE,
    reconcile: null,
  },
  {
    what: 'A token pack becomes a plan of a year',
    by: ({ returned }) =>
      `UPDATE purchases SET kind = 'plan', sku = 'pro', access_days = 365 WHERE id = '${returned.purchase}'`,
    rule: SOLD,
    reconcile: null,
  },
  {
    what: 'Two receipts change places',
    by: ({ kept, sent }) => `
      UPDATE receipts SET number = number + 1000
        WHERE purchase_id IN ('${kept.purchase}', '${sent.purchase}');
      UPDATE receipts SET number = (SELECT r.number - 1000 FROM receipts r WHERE r.purchase_id = '${sent.purchase}')
        WHERE purchase_id = '${kept.purchase}';
      UPDATE receipts SET number = 1 WHERE purchase_id = '${sent.purchase}'`,
    rule: ORDER,
    reconcile: null,
  },
  {
    what: 'A receipt is dated earlier',
    by: ({ sent }) =>
      `UPDATE receipts SET issued_at = issued_at - 3456000000 WHERE purchase_id = '${sent.purchase}'`,
    rule: RECEIPT,
    reconcile: null,
  },
  {
    what: 'A credit note is dated later',
    by: ({ sent }) =>
      `UPDATE credit_notes SET issued_at = issued_at + 3456000000 WHERE purchase_id = '${sent.purchase}'`,
    rule: NOTE,
    reconcile: null,
  },
  {
    what: 'An invoice gets the GSTIN of another company',
    by: ({
      kept,
    }) => `UPDATE receipts SET invoice = json_set(invoice, '$.buyerGstin', '29AAGCB7383J1Z4')
      WHERE purchase_id = '${kept.purchase}'`,
    rule: INVOICE,
    reconcile: null,
  },
  {
    what: 'An invoice names another place of supply',
    by: ({
      sent,
    }) => `UPDATE receipts SET invoice = json_set(invoice, '$.placeOfSupply', '07 Delhi')
      WHERE purchase_id = '${sent.purchase}'`,
    rule: INVOICE,
    reconcile: null,
  },
  {
    what: 'A buyer was somewhere else after all',
    by: ({ kept }) =>
      `UPDATE purchases SET billing = json_set(billing, '$.place', '27') WHERE id = '${kept.purchase}'`,
    rule: INVOICE,
    reconcile: null,
  },
  {
    what: 'A refund that went back becomes a dispute that was lost',
    by: ({ returned }) =>
      `UPDATE refunds_and_disputes SET kind = 'dispute' WHERE payment_id = '${returned.payment}'`,
    rule: CANCELLED,
    reconcile: null,
  },
  {
    what: 'A refund that went back is forgotten',
    by: ({ returned }) =>
      `DELETE FROM refunds_and_disputes WHERE payment_id = '${returned.payment}'`,
    rule: CANCELLED,
    reconcile: 'Settled',
  },
  {
    what: 'What is owed back is never due',
    by: ({ asked }) =>
      `UPDATE owed_refunds SET due_at = NULL WHERE payment_id = '${asked.payment}'`,
    rule: TRIED,
    reconcile: null,
  },
  {
    what: 'What was sent for a debt is another refund',
    by: ({ sent }) =>
      `UPDATE owed_refunds SET refund_id = 'rfnd_EMUother000000' WHERE payment_id = '${sent.payment}'`,
    rule: TRIED,
    reconcile: null,
  },
  {
    what: 'Money is given back by hand, and by nobody',
    by: ({
      kept,
    }) => `INSERT INTO owed_refunds (payment_id, number, purchase_id, reason, amount_minor, created_at, due_at)
      VALUES ('${kept.payment}', 1, '${kept.purchase}', 'goodwill', 10000, 1, 1)`,
    rule: 'money that is given back by hand has the act of an operator',
    reconcile: null,
  },
  {
    what: 'A grant, its entry, its receipt and its purchase are all dated later',
    by: ({ kept: { purchase } }) => `
      UPDATE grants SET granted_at = granted_at + 8640000000 WHERE purchase_id = '${purchase}';
      UPDATE ledger SET created_at = created_at + 8640000000 WHERE ref = 'grant:${purchase}';
      UPDATE receipts SET issued_at = issued_at + 8640000000 WHERE purchase_id = '${purchase}';
      UPDATE purchases SET paid_at = paid_at + 8640000000 WHERE id = '${purchase}'`,
    rule: BACKED,
    reconcile: null,
  },
  {
    what: 'The day by which a dispute has to be answered is deleted',
    by: ({ disputed }) =>
      `UPDATE refunds_and_disputes SET respond_by = NULL WHERE payment_id = '${disputed.payment}'`,
    rule: null,
    reconcile: 'Settled',
  },
  {
    what: 'A refund of long ago is made up, and its tokens are taken as for a true one',
    by: ({ kept }) => forgeRefund(kept, 1),
    rule: null,
    reconcile: 'Contradicted',
  },
]

test('every damage is found, and named with its purchase', async () => {
  const { check, damage, restore } = shop()
  expect(await check()).toEqual({ rules: [], verified: [], reconciled: ['Nothing was missing.'] })
  const table: string[] = []
  for (const { what, by, rule, reconcile } of DAMAGES) {
    await damage(by)
    const { rules, verified, reconciled } = await check()
    const words = new Set(reconciled.map((line) => line.split(/[ :]/)[0]))
    if (rule !== null) expect(rules, what).toContain(rule)
    if (reconcile !== null) expect([...words], what).toContain(reconcile)
    expect([rule, reconcile], what).not.toEqual([null, null])
    // What says nothing must not hide that something was found.
    if (rule === null) expect(rules, what).toEqual([])
    const first =
      rule === null
        ? reconciled.find((line) => line.startsWith(String(reconcile)))
        : verified[verified.indexOf(`Broken: ${rule}.`) + 1]
    table.push(`| ${what} | ${rule ?? '–'} | ${reconcile ?? '–'} | ${anonymous(String(first))} |`)
    await restore()
  }
  expect(await check()).toMatchObject({ rules: [], reconciled: ['Nothing was missing.'] })
  await expect(
    [
      '# What finds which damage',
      '',
      'Each of these was done to a database with sales, refunds and a dispute in it, past its guards. `verify-ledger` reads the',
      'database alone; `reconcile`, as the daily audit, compares it with Razorpay. The last column is what an operator reads.',
      '`edge-api/domain/purchase/damages.test.ts` does all of it in each test run, and wrote this page (`vitest -u`).',
      '',
      '| Damage | Rule that `verify-ledger` calls broken | `reconcile` begins with | For example |',
      '| --- | --- | --- | --- |',
      ...table,
      '',
    ].join('\n'),
  ).toMatchFileSnapshot('../../../docs/damages.md')
})

function shop() {
  if (state.shop === undefined) throw new Error('the shop did not open')
  return state.shop
}

/** Ids differ in each run. */
const anonymous = (line: string) =>
  line.trim().replaceAll(/\b(rfnd|pay|disp|usr|pur|act)_\w+/g, '$1_…')

async function forgeCapture(purchaseId: string): Promise<void> {
  const { ctx } = shop()
  const purchase = await shop().purchase(purchaseId)
  const payment = paymentFor(purchase, { beganAt: null })
  await settle(ctx(), purchase, factsOf({ payments: [payment] }))
}

async function forgeRefund(
  { purchase: id, payment: paymentId }: Ids['kept'],
  beganAt = shop().ctx().now,
): Promise<void> {
  const purchase = await shop().purchase(id)
  const refund = refundOf(paymentFor(purchase, { paymentId }), {
    amountMinor: 5_000,
    beganAt,
  })
  await settle(shop().ctx(), purchase, factsOf({ refundsAndDisputes: [refund] }))
}

/** A seller with GST, a few customers, and what happened to them. All of it is at Razorpay, too. */
async function openShop() {
  const bench: JobBench = await openJobBench()
  const { world, razorpay, gateway } = bench
  const ctx = () => taxed(world.ctx())
  const audit = () => auditPayments(ctx(), { since: world.now() - days(2) })

  async function order(overrides: Parameters<typeof createPurchase>[2] = {}) {
    const claims = await createAccount(world.ctx(), { emailVerifiedAt: world.now() })
    const bare = { razorpayOrderId: null, status: 'creating' as const, nextCheckAt: world.now() }
    const draft = await createPurchase(world.ctx(), claims.userId, { ...bare, ...overrides })
    const { id: purchaseId, amountMinor, currency } = draft
    const notes = {
      purchase: purchaseId,
      account: claims.userId,
      item: draft.sku,
      tokens: String(draft.tokens),
      days: String(draft.accessDays),
    }
    const orderId = await gateway.createOrder({ purchaseId, amountMinor, currency, notes })
    return { claims, orderId, ids: { purchase: purchaseId, payment: '', user: claims.userId } }
  }

  async function buy(overrides: Parameters<typeof createPurchase>[2] = {}) {
    const ordered = await order(overrides)
    const { paymentId } = await razorpay.pay(ordered.orderId)
    world.advance(minutes(2))
    await reconcilePurchases(ctx())
    return { ...ordered, ids: { ...ordered.ids, payment: paymentId } }
  }

  const billing = (place: string) => JSON.stringify({ place, name: '', address: '', gstin: '' })
  const plan = (place: string) => ({ ...PLAN_IN_INR, billing: billing(place) })
  const kept = await buy(plan('29'))
  await use(world, kept.claims, 300_000)
  const desk = deskOf(world)
  await desk.carryOut({ kind: 'adjust_tokens', userId: kept.ids.user, tokens: 5_000 })
  const returned = await buy()
  await razorpay.send('POST', `/payments/${returned.ids.payment}/refund`, {})
  const inPart = await buy()
  await use(world, inPart.claims, 900_000)
  await razorpay.send('POST', `/payments/${inPart.ids.payment}/refund`, { amount: 1_000 })
  const disputed = await buy()
  await razorpay.send('POST', `/payments/${disputed.ids.payment}/dispute`, {
    event: 'created',
    amount: 500,
  })
  const odd = await order()
  await razorpay.send('POST', '/scenario', { name: 'wrong-amount', order_id: odd.orderId })
  await world.drain()
  const askBack = async ({ claims, ids: { purchase: purchaseId } }: typeof kept) => {
    const call = { ...callOf(claims), params: { purchaseId } }
    const { refund } = await refundQuote(ctx(), call)
    await askRefund(ctx(), { ...call, body: { amount: refund.amount } })
  }
  world.advance(hours(2))
  const sent = await buy(plan('27'))
  await use(world, sent.claims, 250_000)
  await askBack(sent)
  await world.drain()
  const asked = await buy(plan('29'))
  await use(world, asked.claims, 500_000)
  await askBack(asked)
  const unpaid = await order()
  world.advance(minutes(5))
  await reconcilePurchases(ctx())
  await audit()
  world.advance(hours(2))
  await audit()

  const ids: Ids = {
    kept: kept.ids,
    returned: returned.ids,
    inPart: inPart.ids,
    asked: asked.ids,
    sent: sent.ids,
    disputed: disputed.ids,
    odd: odd.ids,
    unpaid: unpaid.ids,
  }
  const copy = await copyOf()
  return {
    ids,
    ctx,
    purchase: async (id: string) => {
      const { db } = ctx()
      const [rows] = await db.batch([db.select().from(purchases).where(eq(purchases.id, id))])
      return requirePurchase(rows)
    },
    check: async () => {
      const verified = await brokenRules((queries) => readAllRows(ctx(), queries))
      const reconciled = describeReport(await audit()).slice(1)
      const rules = verified.flatMap((line) => /^Broken: (.*)\.$/.exec(line)?.[1] ?? [])
      return { rules, verified, reconciled }
    },
    damage: async (by: Damage['by']) => {
      const done = by(ids)
      if (typeof done === 'string') await copy.pastGuards(done)
      else await done
      world.advance(minutes(1))
    },
    restore: copy.restore,
    close: copy.drop,
  }
}

/** A copy of all rows beside them, to damage the rows past their guards and to have them back. */
async function copyOf() {
  const { rows } = await client.execute(
    "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_%' ESCAPE '\\'",
  )
  const named = (type: string) =>
    rows.filter((row) => row['type'] === type && !String(row['name']).startsWith('libsql'))
  const triggers = named('trigger')
  const tables = named('table').map(({ name }) => String(name))
  const copyName = (table: string) => `_copy_of_${table}`
  const pastGuards = async (statements: readonly string[]) => {
    const script = [
      'PRAGMA foreign_keys = OFF',
      'BEGIN IMMEDIATE',
      ...triggers.map(({ name }) => `DROP TRIGGER ${String(name)}`),
      ...statements,
      ...triggers.map(({ sql }) => String(sql)),
      'COMMIT',
    ].join(';\n')
    // What was left running may still hold the database.
    await vi.waitFor(() => client.executeMultiple(script), { timeout: 60_000 })
  }
  await client.executeMultiple(
    tables
      .map((table) => `CREATE TABLE ${copyName(table)} AS SELECT * FROM ${table} ORDER BY rowid`)
      .join(';\n'),
  )
  return {
    pastGuards: (statements: string) => pastGuards([statements]),
    restore: () =>
      pastGuards(
        tables.flatMap((table) => [
          `DELETE FROM ${table}`,
          `INSERT INTO ${table} SELECT * FROM ${copyName(table)} ORDER BY rowid`,
        ]),
      ),
    drop: () =>
      client.executeMultiple(tables.map((table) => `DROP TABLE ${copyName(table)}`).join(';\n')),
  }
}
