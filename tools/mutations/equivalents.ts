/** A mutant that no test can notice, and why. */
export interface Equivalent {
  file: string
  /** As the mutant's report names them. */
  at: string
  from: string
  to: string
  reason: string
}

export const equivalents: Equivalent[] = [
  {
    file: 'edge-api/domain/purchase/list-receipts.ts',
    at: '.where(and(own, ofThisMode(ctx), within(sql`+${receipts.issuedAt}`, month)))',
    from: '+',
    to: '',
    reason: 'The plus changes no value: it keeps SQLite from an index.',
  },
  {
    file: 'edge-api/domain/purchase/list-receipts.ts',
    at: '.where(and(own, ofThisMode(ctx), within(sql`+${creditNotes.issuedAt}`, month)))',
    from: '+',
    to: '',
    reason: 'The plus changes no value: it keeps SQLite from an index.',
  },
  {
    file: 'edge-api/domain/purchase/open-purchase.ts',
    at: 'LIMIT 1`',
    from: '1',
    to: '2',
    reason: 'A second row has the same key as the first, so it does nothing.',
  },
  {
    file: 'edge-api/domain/purchase/ask-refund.ts',
    at: "return user.passwordHash === '' && !factors.some(isTwoStep)",
    from: 'some',
    to: 'every',
    reason: 'factorsQuery answers one row for an account that exists.',
  },
  {
    file: 'edge-api/domain/purchase/settling/expressions.ts',
    at: 'AND (m.razorpay_order_id = p.razorpay_order_id OR m.razorpay_order_id = p.razorpay_link_order_id)',
    from: '(m.razorpay_order_id = p.razorpay_order_id OR m.razorpay_order_id = p.razorpay_link_order_id)',
    to: '1',
    reason:
      'storePayments stores payments on the orders of their purchase alone, and guards keep an order where it is bound.',
  },
  {
    file: 'edge-api/domain/tokens/list-ledger.ts',
    at: '.limit(query.limit + 1),',
    from: '1',
    to: '2',
    reason: 'One row more is read, and not shown.',
  },
  {
    file: 'edge-api/domain/tokens/list-ledger.ts',
    at: "...(kind === undefined || kind === 'use' ? [] : [sql`${ledger.kind} <> 'use'`]),",
    from: "kind === undefined || kind === 'use'",
    to: 'true',
    reason: 'The condition is part of the next one: it lets SQLite use the index.',
  },
  {
    file: 'edge-api/domain/tokens/show-usage.ts',
    at: 'gte(usageDays.day, since),',
    from: 'gte(usageDays.day, since)',
    to: 'undefined',
    reason: 'Days that are not shown are not looked up: it keeps SQLite from reading them.',
  },
  {
    file: 'edge-api/domain/tokens/unused-tokens.ts',
    at: "AND l.kind <> 'use' AND l.kind IN ('trial', 'adjustment')",
    from: "l.kind <> 'use'",
    to: '1',
    reason: 'The kinds of the list are no uses: it lets SQLite use the index.',
  },
  {
    file: 'edge-api/db/migrations/0001_guards.sql',
    at: 'WHERE l.`rowid` = (SELECT max(`rowid`) FROM `ledger`) AND l.`user_id` = NEW.`user_id`',
    from: 'l.`rowid` = (SELECT max(`rowid`) FROM `ledger`)',
    to: '1',
    reason:
      'Whoever has an entry in a mode has a balance there, so its primary key refuses a second one.',
  },
  {
    file: 'edge-api/db/migrations/0001_guards.sql',
    at: 'AND l.`tokens` = NEW.`total`',
    from: 'l.`tokens` = NEW.`total`',
    to: '1',
    reason:
      'Whoever has an entry in a mode has a balance there, so its primary key refuses a second one.',
  },
  {
    file: 'edge-api/db/migrations/0001_guards.sql',
    at: 'AND NEW.`used` = 0',
    from: 'NEW.`used` = 0',
    to: '1',
    reason:
      'Whoever has an entry in a mode has a balance there, so its primary key refuses a second one.',
  },
  {
    file: 'edge-api/db/migrations/0001_guards.sql',
    at: "AND NEW.`total` - OLD.`total` = iif(l.`kind` = 'use', 0, l.`tokens`)",
    from: "NEW.`total` - OLD.`total` = iif(l.`kind` = 'use', 0, l.`tokens`)",
    to: '1',
    reason:
      'Only the triggers of the ledger meet a balance that has not counted its latest entry, and they move it by that.',
  },
  {
    file: 'edge-api/db/migrations/0001_guards.sql',
    at: "AND NEW.`used` - OLD.`used` = iif(l.`kind` = 'use', -l.`tokens`, 0)",
    from: "NEW.`used` - OLD.`used` = iif(l.`kind` = 'use', -l.`tokens`, 0)",
    to: '1',
    reason:
      'Only the triggers of the ledger meet a balance that has not counted its latest entry, and they move it by that.',
  },
  {
    file: 'edge-api/db/migrations/0001_guards.sql',
    at: 'WHEN NEW.`tokens` > 0',
    from: '>',
    to: '>=',
    reason: 'The check ledger_sign refuses an entry of no tokens.',
  },
  {
    file: 'edge-api/db/migrations/0001_guards.sql',
    at: "WHEN NEW.`kind` IN ('reversal', 'adjustment') AND NEW.`tokens` < 0",
    from: '<',
    to: '<=',
    reason: 'The check ledger_sign refuses an entry of no tokens.',
  },
  {
    file: 'edge-api/db/migrations/0001_guards.sql',
    at: "WHEN NEW.`kind` IN ('reversal', 'adjustment') AND NEW.`tokens` < 0",
    from: '0',
    to: '1',
    reason: 'The check ledger_sign refuses an entry of no tokens.',
  },
  {
    file: 'edge-api/domain/purchase/pay-owed-refunds.ts',
    at: 'if (claimed.length === 0) return',
    from: 'claimed.length === 0',
    to: 'false',
    reason: 'It saves a query: of no claims no debts are found.',
  },
  {
    file: 'edge-api/domain/purchase/refund-quote.ts',
    at: 'WHERE p.id = ${purchaseId} AND +p.user_id = ${userId} AND p.payment_mode = ${paymentMode}',
    from: '+',
    to: '',
    reason: 'The plus changes no value: it keeps SQLite from an index.',
  },
  {
    file: 'edge-api/domain/purchase/find-purchase.ts',
    at: 'const isOwn = sql`+${purchases.userId} = ${userId}`',
    from: '+',
    to: '',
    reason: 'The plus changes no value: it keeps SQLite from an index.',
  },
  {
    file: 'edge-api/domain/purchase/purchase-history.ts',
    at: 'rows: selectPurchases(ctx, { userId: claims.userId, cursor, limit: limit + 1 }),',
    from: '1',
    to: '2',
    reason: 'Any row beyond the page tells that there is a next one, and none is shown.',
  },
  {
    file: 'edge-api/domain/tokens/notify-low-tokens.ts',
    at: 'WHERE b.user_id = ${userId} AND b.payment_mode = ${paymentMode} AND b.low_notified_total <> 0 AND NOT ${IS_LOW}',
    from: 'b.low_notified_total <> 0',
    to: '1',
    reason: 'A total that is 0 becomes 0 again: it spares the write.',
  },
  {
    file: 'edge-api/domain/purchase/settling/follow-money.ts',
    at: 'FROM payments m JOIN purchases p ON p.id = m.purchase_id',
    from: 'p.id = m.purchase_id',
    to: '1',
    reason: 'Captured money of other purchases was granted or owed in the batch that stored it.',
  },
  {
    file: 'edge-api/domain/purchase/settling/follow-money.ts',
    at: 'WHERE p.id = ${purchaseId} AND m.rank = 3',
    from: 'p.id = ${purchaseId}',
    to: '1',
    reason: 'Captured money of other purchases was granted or owed in the batch that stored it.',
  },
  {
    file: 'edge-api/domain/purchase/settling/follow-money.ts',
    at: 'WHERE m.purchase_id = ${purchaseId}',
    from: 'm.purchase_id = ${purchaseId}',
    to: '1',
    reason: 'What is owed of other purchases followed their facts in the batch that stored these.',
  },
  {
    file: 'edge-api/domain/purchase/settling/move-tokens.ts',
    at: 'FROM purchases p JOIN payments m ON m.purchase_id = p.id',
    from: 'm.purchase_id = p.id',
    to: '1',
    reason: 'A payment on the order of a purchase is stored as its own.',
  },
  {
    file: 'edge-api/domain/purchase/settling/move-tokens.ts',
    at: 'WHERE p.id = ${purchaseId} AND m.rank = 3 AND ${matches}',
    from: 'p.id = ${purchaseId}',
    to: '1',
    reason: 'Captured money of other purchases was granted or owed in the batch that stored it.',
  },
  {
    file: 'edge-api/domain/purchase/settling/move-tokens.ts',
    at: 'LIMIT 1`',
    from: '1',
    to: '2',
    reason: 'The key of a grant is its purchase, so a second one does nothing.',
  },
  {
    file: 'edge-api/domain/purchase/settling/move-tokens.ts',
    at: 'const insert = insertFrom(ledger, entry, sql`FROM grants g WHERE g.purchase_id = ${purchaseId}`)',
    from: 'g.purchase_id = ${purchaseId}',
    to: '1',
    reason: 'Other grants were entered in the batch that made them.',
  },
  {
    file: 'edge-api/domain/purchase/settling/issue-receipts.ts',
    at: 'WHERE g.purchase_id = ${purchase.id}',
    from: 'g.purchase_id = ${purchase.id}',
    to: '1',
    reason: 'Other grants have their receipt from the batch that made them.',
  },
  {
    file: 'edge-api/domain/purchase/settling/issue-receipts.ts',
    at: 'JOIN grants g ON g.purchase_id = r.purchase_id',
    from: 'g.purchase_id = r.purchase_id',
    to: '1',
    reason: 'Refunds of other purchases have their note from the batch that stored them.',
  },
  {
    file: 'edge-api/domain/purchase/settling/issue-receipts.ts',
    at: "WHERE r.purchase_id = ${purchaseId} AND t.kind = 'refund' AND t.state = 'final'",
    from: 'r.purchase_id = ${purchaseId}',
    to: '1',
    reason: 'Refunds of other purchases have their note from the batch that stored them.',
  },
  {
    file: 'edge-api/domain/purchase/settling/store-facts.ts',
    at: "return sql`CASE ${state} WHEN 'inquiry' THEN 0 WHEN 'open' THEN 1 WHEN 'undone' THEN 2 ELSE 3 END`",
    from: '3',
    to: '4',
    reason:
      'The numbers are only compared with each other, and this one is the largest of them either way.',
  },
]
