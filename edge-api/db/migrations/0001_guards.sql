-- What the tables refuse whatever the code does (docs/decisions/0004-invariants-in-the-database.md).
-- INSERT OR REPLACE would pass them, because it deletes rows without firing their DELETE triggers: lint refuses it.

-- What is sold is fixed before money moves.
CREATE TRIGGER `purchases_fixed` BEFORE UPDATE ON `purchases`
WHEN NEW.`id` IS NOT OLD.`id`
  OR NEW.`user_id` IS NOT OLD.`user_id`
  OR NEW.`sku` IS NOT OLD.`sku`
  OR NEW.`kind` IS NOT OLD.`kind`
  OR NEW.`tokens` IS NOT OLD.`tokens`
  OR NEW.`access_days` IS NOT OLD.`access_days`
  OR NEW.`amount_minor` IS NOT OLD.`amount_minor`
  OR NEW.`currency` IS NOT OLD.`currency`
  OR NEW.`payment_mode` IS NOT OLD.`payment_mode`
  OR NEW.`channel` IS NOT OLD.`channel`
  OR NEW.`terms_version` IS NOT OLD.`terms_version`
  OR NEW.`billing` IS NOT OLD.`billing`
  OR NEW.`created_at` IS NOT OLD.`created_at`
  OR (OLD.`razorpay_order_id` IS NOT NULL AND NEW.`razorpay_order_id` IS NOT OLD.`razorpay_order_id`)
  OR (OLD.`razorpay_link_id` IS NOT NULL AND NEW.`razorpay_link_id` IS NOT OLD.`razorpay_link_id`)
  OR (OLD.`razorpay_link_order_id` IS NOT NULL AND NEW.`razorpay_link_order_id` IS NOT OLD.`razorpay_link_order_id`)
BEGIN
  SELECT RAISE(ABORT, 'a purchase cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER `purchases_kept` BEFORE DELETE ON `purchases`
BEGIN
  SELECT RAISE(ABORT, 'a purchase cannot be deleted');
END;
--> statement-breakpoint
-- A purchase is paid only once its grant exists.
CREATE TRIGGER `purchases_paid_backed` BEFORE UPDATE OF `status` ON `purchases`
WHEN NEW.`status` = 'paid' AND NOT EXISTS (SELECT 1 FROM `grants` g WHERE g.`purchase_id` = NEW.`id`)
BEGIN
  SELECT RAISE(ABORT, 'a paid purchase needs its grant');
END;
--> statement-breakpoint
CREATE TRIGGER `purchases_begin_unpaid` BEFORE INSERT ON `purchases`
WHEN NEW.`status` IN ('paid', 'refunded', 'review') OR NEW.`paid_at` IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a purchase begins unpaid');
END;
--> statement-breakpoint
-- An order belongs to one purchase, whether it is the checkout's or the payment link's.
CREATE TRIGGER `purchases_own_order` BEFORE UPDATE OF `razorpay_order_id`, `razorpay_link_order_id`, `razorpay_link_id` ON `purchases`
WHEN EXISTS (
  SELECT 1 FROM `purchases` p
  WHERE p.`id` <> NEW.`id` AND (
    p.`razorpay_order_id` IN (NEW.`razorpay_order_id`, NEW.`razorpay_link_order_id`)
    OR p.`razorpay_link_order_id` IN (NEW.`razorpay_order_id`, NEW.`razorpay_link_order_id`)
    OR p.`razorpay_link_id` = NEW.`razorpay_link_id`
  )
)
BEGIN
  SELECT RAISE(ABORT, 'an order belongs to one purchase');
END;
--> statement-breakpoint
CREATE TRIGGER `purchases_whole` BEFORE INSERT ON `purchases`
WHEN typeof(NEW.`tokens`) <> 'integer'
  OR typeof(NEW.`amount_minor`) <> 'integer'
  OR typeof(NEW.`access_days`) <> 'integer'
BEGIN
  SELECT RAISE(ABORT, 'tokens and amounts are whole numbers');
END;
--> statement-breakpoint
-- `paid_at` is the instant of the grant.
CREATE TRIGGER `purchases_paid_when_granted` BEFORE UPDATE OF `paid_at` ON `purchases`
WHEN NEW.`paid_at` IS NOT (SELECT g.`granted_at` FROM `grants` g WHERE g.`purchase_id` = NEW.`id`)
BEGIN
  SELECT RAISE(ABORT, 'a purchase is paid when it is granted');
END;
--> statement-breakpoint
-- Once money is captured, the status is paid, review or refunded and never goes back.
CREATE TRIGGER `purchases_status_backed` BEFORE UPDATE OF `status` ON `purchases`
WHEN NEW.`status` <> 'paid'
BEGIN
  SELECT RAISE(ABORT, 'captured money is not forgotten')
  WHERE NEW.`status` NOT IN ('review', 'refunded')
    AND EXISTS (SELECT 1 FROM `payments` m WHERE m.`purchase_id` = NEW.`id` AND m.`rank` = 3);
  SELECT RAISE(ABORT, 'a review needs captured money that granted nothing')
  WHERE NEW.`status` = 'review' AND (
    EXISTS (SELECT 1 FROM `grants` g WHERE g.`purchase_id` = NEW.`id`)
    OR NOT EXISTS (SELECT 1 FROM `payments` m WHERE m.`purchase_id` = NEW.`id` AND m.`rank` = 3)
  );
  SELECT RAISE(ABORT, 'a refunded purchase needs money that went back')
  WHERE NEW.`status` = 'refunded' AND NOT EXISTS (
    SELECT 1 FROM `payments` m
    WHERE m.`purchase_id` = NEW.`id` AND m.`rank` = 3 AND (
      m.`amount_minor` = 0
      OR m.`amount_refunded_minor` > 0
      OR EXISTS (SELECT 1 FROM `refunds_and_disputes` t WHERE t.`payment_id` = m.`id` AND t.`state` IN ('open', 'final'))
    )
  );
  SELECT RAISE(ABORT, 'an authorized purchase needs its payment')
  WHERE NEW.`status` = 'authorized' AND NOT EXISTS (
    SELECT 1 FROM `payments` m WHERE m.`purchase_id` = NEW.`id` AND m.`rank` = 2
  );
END;
--> statement-breakpoint
CREATE TRIGGER `payments_forward` BEFORE UPDATE ON `payments`
WHEN NEW.`id` IS NOT OLD.`id`
  OR NEW.`purchase_id` IS NOT OLD.`purchase_id`
  OR NEW.`razorpay_order_id` IS NOT OLD.`razorpay_order_id`
  OR NEW.`amount_minor` IS NOT OLD.`amount_minor`
  OR NEW.`currency` IS NOT OLD.`currency`
  OR NEW.`rank` < OLD.`rank`
  OR NEW.`amount_refunded_minor` < OLD.`amount_refunded_minor`
BEGIN
  SELECT RAISE(ABORT, 'a payment only moves forward');
END;
--> statement-breakpoint
CREATE TRIGGER `payments_kept` BEFORE DELETE ON `payments`
BEGIN
  SELECT RAISE(ABORT, 'a payment cannot be deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `payments_whole` BEFORE INSERT ON `payments`
WHEN typeof(NEW.`amount_minor`) <> 'integer'
  OR typeof(NEW.`amount_refunded_minor`) <> 'integer'
  OR typeof(NEW.`rank`) <> 'integer'
BEGIN
  SELECT RAISE(ABORT, 'amounts are whole numbers');
END;
--> statement-breakpoint
CREATE TRIGGER `payments_stay_whole` BEFORE UPDATE OF `amount_refunded_minor`, `rank` ON `payments`
WHEN typeof(NEW.`amount_refunded_minor`) <> 'integer' OR typeof(NEW.`rank`) <> 'integer'
BEGIN
  SELECT RAISE(ABORT, 'amounts are whole numbers');
END;
--> statement-breakpoint
CREATE TRIGGER `grants_not_owed` BEFORE INSERT ON `grants`
WHEN EXISTS (SELECT 1 FROM `owed_refunds` o WHERE o.`payment_id` = NEW.`payment_id`)
BEGIN
  SELECT RAISE(ABORT, 'money that is owed back grants nothing');
END;
--> statement-breakpoint
-- A grant needs captured money that matches the purchase, and goes to the purchase's owner.
CREATE TRIGGER `grants_backed` BEFORE INSERT ON `grants`
WHEN NOT EXISTS (
  SELECT 1
  FROM `purchases` p
  JOIN `payments` m ON m.`purchase_id` = p.`id`
  WHERE p.`id` = NEW.`purchase_id`
    AND m.`id` = NEW.`payment_id`
    AND m.`rank` = 3
    AND m.`amount_minor` = p.`amount_minor`
    AND m.`currency` = p.`currency`
    AND (m.`razorpay_order_id` = p.`razorpay_order_id` OR m.`razorpay_order_id` = p.`razorpay_link_order_id`)
    AND p.`user_id` = NEW.`user_id`
    AND p.`tokens` = NEW.`tokens`
    AND p.`payment_mode` = NEW.`payment_mode`
)
BEGIN
  SELECT RAISE(ABORT, 'a grant needs a matching captured payment');
END;
--> statement-breakpoint
CREATE TRIGGER `grants_fixed` BEFORE UPDATE ON `grants`
BEGIN
  SELECT RAISE(ABORT, 'a grant cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER `grants_kept` BEFORE DELETE ON `grants`
BEGIN
  SELECT RAISE(ABORT, 'a grant cannot be deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `receipts_fixed` BEFORE UPDATE ON `receipts`
BEGIN
  SELECT RAISE(ABORT, 'a receipt cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER `receipts_kept` BEFORE DELETE ON `receipts`
BEGIN
  SELECT RAISE(ABORT, 'a receipt cannot be deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `receipts_gapless` BEFORE INSERT ON `receipts`
WHEN NEW.`number` <> (SELECT coalesce(max(r.`number`), 0) + 1 FROM `receipts` r WHERE r.`series` = NEW.`series`)
BEGIN
  SELECT RAISE(ABORT, 'receipts are numbered without gaps');
END;
--> statement-breakpoint
CREATE TRIGGER `credit_notes_fixed` BEFORE UPDATE ON `credit_notes`
BEGIN
  SELECT RAISE(ABORT, 'a credit note cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER `credit_notes_kept` BEFORE DELETE ON `credit_notes`
BEGIN
  SELECT RAISE(ABORT, 'a credit note cannot be deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `credit_notes_gapless` BEFORE INSERT ON `credit_notes`
WHEN NEW.`number` <> (SELECT coalesce(max(c.`number`), 0) + 1 FROM `credit_notes` c WHERE c.`series` = NEW.`series`)
BEGIN
  SELECT RAISE(ABORT, 'credit notes are numbered without gaps');
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_fixed` BEFORE UPDATE ON `ledger`
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_kept` BEFORE DELETE ON `ledger`
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;
--> statement-breakpoint
-- A grant entry says what its grant says.
CREATE TRIGGER `ledger_granted` BEFORE INSERT ON `ledger`
WHEN NEW.`kind` = 'grant' AND NOT EXISTS (
  SELECT 1 FROM `grants` g
  WHERE NEW.`ref` = 'grant:' || g.`purchase_id`
    AND g.`purchase_id` = NEW.`purchase_id`
    AND g.`user_id` = NEW.`user_id`
    AND g.`tokens` = NEW.`tokens`
    AND g.`payment_mode` = NEW.`payment_mode`
)
BEGIN
  SELECT RAISE(ABORT, 'a grant entry needs its grant');
END;
--> statement-breakpoint
-- A trial needs a proven address, and an account has one.
CREATE TRIGGER `ledger_tried` BEFORE INSERT ON `ledger`
WHEN NEW.`kind` = 'trial' AND NOT EXISTS (
  SELECT 1 FROM `users` u
  WHERE u.`id` = NEW.`user_id` AND NEW.`ref` = 'trial:' || u.`id` AND u.`email_verified_at` IS NOT NULL
)
BEGIN
  SELECT RAISE(ABORT, 'a trial needs a proven address');
END;
--> statement-breakpoint
-- What an operator gives or takes by hand is written down with its reason first.
CREATE TRIGGER `ledger_adjusted` BEFORE INSERT ON `ledger`
WHEN NEW.`kind` = 'adjustment' AND NOT EXISTS (
  SELECT 1 FROM `desk_acts` a
  WHERE NEW.`ref` = 'adjustment:' || a.`id` AND a.`user_id` = NEW.`user_id` AND a.`kind` = 'adjust_tokens'
)
BEGIN
  SELECT RAISE(ABORT, 'an adjustment needs the act of an operator');
END;
--> statement-breakpoint
-- Nothing is taken that is not there.
CREATE TRIGGER `ledger_covered` BEFORE INSERT ON `ledger`
WHEN NEW.`tokens` < 0 AND NOT EXISTS (
  SELECT 1 FROM `balances` b
  WHERE b.`user_id` = NEW.`user_id` AND b.`payment_mode` = NEW.`payment_mode` AND b.`total` - b.`used` >= -NEW.`tokens`
)
BEGIN
  SELECT RAISE(ABORT, 'insufficient tokens');
END;
--> statement-breakpoint
-- The balance is the sum of the ledger.
CREATE TRIGGER `ledger_added` AFTER INSERT ON `ledger`
WHEN NEW.`tokens` > 0
BEGIN
  INSERT INTO `balances` (`user_id`, `payment_mode`, `total`, `used`) VALUES (NEW.`user_id`, NEW.`payment_mode`, NEW.`tokens`, 0)
  ON CONFLICT (`user_id`, `payment_mode`) DO UPDATE SET `total` = `total` + NEW.`tokens`;
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_used` AFTER INSERT ON `ledger`
WHEN NEW.`kind` = 'use'
BEGIN
  UPDATE `balances` SET `used` = `used` - NEW.`tokens` WHERE `user_id` = NEW.`user_id` AND `payment_mode` = NEW.`payment_mode`;
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_reversed` AFTER INSERT ON `ledger`
WHEN NEW.`kind` IN ('reversal', 'adjustment') AND NEW.`tokens` < 0
BEGIN
  UPDATE `balances` SET `total` = `total` + NEW.`tokens` WHERE `user_id` = NEW.`user_id` AND `payment_mode` = NEW.`payment_mode`;
END;
--> statement-breakpoint
-- The reversed tokens of a purchase stay between zero and what it granted.
CREATE TRIGGER `ledger_reversed_within_grant` BEFORE INSERT ON `ledger`
WHEN NEW.`kind` IN ('reversal', 'restoration') AND NOT EXISTS (
  SELECT 1 FROM `grants` g
  WHERE g.`purchase_id` = NEW.`purchase_id`
    AND g.`user_id` = NEW.`user_id`
    AND g.`payment_mode` = NEW.`payment_mode`
    AND NEW.`tokens` + (
      SELECT coalesce(sum(l.`tokens`), 0) FROM `ledger` l
      WHERE l.`purchase_id` = NEW.`purchase_id` AND l.`kind` IN ('reversal', 'restoration')
    ) BETWEEN -g.`tokens` AND 0
)
BEGIN
  SELECT RAISE(ABORT, 'more cannot be reversed than was granted');
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_whole` BEFORE INSERT ON `ledger`
WHEN typeof(NEW.`tokens`) <> 'integer'
BEGIN
  SELECT RAISE(ABORT, 'tokens are whole numbers');
END;
--> statement-breakpoint
-- A refund only moves forward: open, final, undone. A dispute may be won, opened again and lost, but what is stored of it
-- never becomes older.
CREATE TRIGGER `refunds_and_disputes_forward` BEFORE UPDATE ON `refunds_and_disputes`
WHEN NEW.`id` IS NOT OLD.`id`
  OR NEW.`kind` IS NOT OLD.`kind`
  OR NEW.`payment_id` IS NOT OLD.`payment_id`
  OR NEW.`as_of` < OLD.`as_of`
  OR (OLD.`kind` = 'refund' AND (
    NEW.`amount_minor` < OLD.`amount_minor`
    OR (OLD.`state` = 'undone' AND NEW.`state` <> 'undone')
    OR (OLD.`state` = 'final' AND NEW.`state` = 'open')
  ))
BEGIN
  SELECT RAISE(ABORT, 'a refund or dispute only moves forward');
END;
--> statement-breakpoint
CREATE TRIGGER `refunds_and_disputes_kept` BEFORE DELETE ON `refunds_and_disputes`
BEGIN
  SELECT RAISE(ABORT, 'a refund or dispute cannot be deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `refunds_and_disputes_whole` BEFORE INSERT ON `refunds_and_disputes`
WHEN typeof(NEW.`amount_minor`) <> 'integer'
BEGIN
  SELECT RAISE(ABORT, 'amounts are whole numbers');
END;
--> statement-breakpoint
CREATE TRIGGER `refunds_and_disputes_stay_whole` BEFORE UPDATE OF `amount_minor` ON `refunds_and_disputes`
WHEN typeof(NEW.`amount_minor`) <> 'integer'
BEGIN
  SELECT RAISE(ABORT, 'amounts are whole numbers');
END;
--> statement-breakpoint
CREATE TRIGGER `owed_refunds_fixed` BEFORE UPDATE ON `owed_refunds`
WHEN NEW.`payment_id` IS NOT OLD.`payment_id`
  OR NEW.`number` IS NOT OLD.`number`
  OR NEW.`purchase_id` IS NOT OLD.`purchase_id`
  OR NEW.`reason` IS NOT OLD.`reason`
  OR NEW.`amount_minor` IS NOT OLD.`amount_minor`
  OR NEW.`tokens` IS NOT OLD.`tokens`
  OR NEW.`refunded_before_minor` IS NOT OLD.`refunded_before_minor`
BEGIN
  SELECT RAISE(ABORT, 'what is owed cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER `owed_refunds_kept` BEFORE DELETE ON `owed_refunds`
BEGIN
  SELECT RAISE(ABORT, 'what is owed cannot be deleted');
END;
--> statement-breakpoint
-- Captured money that backs no grant is owed back whole.
CREATE TRIGGER `owed_refunds_backed` BEFORE INSERT ON `owed_refunds`
WHEN NEW.`reason` NOT IN ('asked_for', 'goodwill') AND (
  EXISTS (SELECT 1 FROM `grants` g WHERE g.`payment_id` = NEW.`payment_id`)
  OR NOT EXISTS (
    SELECT 1 FROM `payments` m
    WHERE m.`id` = NEW.`payment_id`
      AND m.`purchase_id` = NEW.`purchase_id`
      AND m.`rank` = 3
      AND m.`amount_minor` = NEW.`amount_minor`
  )
  OR NEW.`number` <> 0
  OR NEW.`tokens` <> 0
  OR NEW.`refunded_before_minor` <> 0
)
BEGIN
  SELECT RAISE(ABORT, 'only extra captured money is owed back');
END;
--> statement-breakpoint
-- What a buyer asks back is of the payment behind a grant, of tokens that the buyer still has, and no more than was paid.
CREATE TRIGGER `owed_refunds_asked_for` BEFORE INSERT ON `owed_refunds`
WHEN NEW.`reason` = 'asked_for' AND (
  typeof(NEW.`amount_minor`) <> 'integer'
  OR typeof(NEW.`tokens`) <> 'integer'
  OR NEW.`amount_minor` < 1
  OR NEW.`refunded_before_minor` < 0
  OR NEW.`number` <> 0
  OR NOT EXISTS (
    SELECT 1 FROM `grants` g
    JOIN `payments` m ON m.`id` = g.`payment_id`
    JOIN `balances` b ON b.`user_id` = g.`user_id` AND b.`payment_mode` = g.`payment_mode`
    WHERE g.`payment_id` = NEW.`payment_id`
      AND g.`purchase_id` = NEW.`purchase_id`
      AND NEW.`tokens` BETWEEN 1 AND g.`tokens`
      AND NEW.`tokens` <= b.`total` - b.`used`
      AND NEW.`amount_minor` + NEW.`refunded_before_minor` <= m.`amount_minor`
  )
)
BEGIN
  SELECT RAISE(ABORT, 'only what is unused is asked back');
END;
--> statement-breakpoint
-- What an operator gives back is of the payment behind a grant, and no more than was paid.
CREATE TRIGGER `owed_refunds_goodwill` BEFORE INSERT ON `owed_refunds`
WHEN NEW.`reason` = 'goodwill' AND (
  typeof(NEW.`amount_minor`) <> 'integer'
  OR NEW.`amount_minor` < 1
  OR NEW.`refunded_before_minor` < 0
  OR NEW.`tokens` <> 0
  OR NEW.`number` < 1
  OR NOT EXISTS (
    SELECT 1 FROM `grants` g
    JOIN `payments` m ON m.`id` = g.`payment_id`
    WHERE g.`payment_id` = NEW.`payment_id`
      AND g.`purchase_id` = NEW.`purchase_id`
      AND NEW.`amount_minor` + NEW.`refunded_before_minor` <= m.`amount_minor`
  )
)
BEGIN
  SELECT RAISE(ABORT, 'no more is given back than was paid');
END;
--> statement-breakpoint
-- A balance changes only with the ledger (docs/decisions/0009-the-balance-is-kept-by-a-trigger.md). Entries are never
-- deleted, so the latest one has the greatest rowid, which SQLite finds without a scan.
CREATE TRIGGER `balances_begun` AFTER INSERT ON `balances`
BEGIN
  SELECT RAISE(ABORT, 'the balance follows the ledger')
  WHERE NOT EXISTS (
    SELECT 1 FROM `ledger` l
    WHERE l.`rowid` = (SELECT max(`rowid`) FROM `ledger`) AND l.`user_id` = NEW.`user_id`
      AND l.`payment_mode` = NEW.`payment_mode`
      AND l.`tokens` = NEW.`total`
      AND NEW.`used` = 0
  );
  UPDATE `balances` SET `last_ref` = (
    SELECT l.`ref` FROM `ledger` l WHERE l.`rowid` = (SELECT max(`rowid`) FROM `ledger`)
  )
  WHERE `user_id` = NEW.`user_id` AND `payment_mode` = NEW.`payment_mode`;
END;
--> statement-breakpoint
-- A balance moves by the tokens of the latest entry, once per entry.
CREATE TRIGGER `balances_moved` AFTER UPDATE OF `total`, `used` ON `balances`
BEGIN
  SELECT RAISE(ABORT, 'the balance follows the ledger')
  WHERE NOT EXISTS (
    SELECT 1 FROM `ledger` l
    WHERE l.`rowid` = (SELECT max(`rowid`) FROM `ledger`)
      AND l.`user_id` = NEW.`user_id`
      AND l.`payment_mode` = NEW.`payment_mode`
      AND l.`ref` IS NOT OLD.`last_ref`
      AND NEW.`total` - OLD.`total` = iif(l.`kind` = 'use', 0, l.`tokens`)
      AND NEW.`used` - OLD.`used` = iif(l.`kind` = 'use', -l.`tokens`, 0)
  );
  UPDATE `balances` SET `last_ref` = (
    SELECT l.`ref` FROM `ledger` l WHERE l.`rowid` = (SELECT max(`rowid`) FROM `ledger`)
  )
  WHERE `user_id` = NEW.`user_id` AND `payment_mode` = NEW.`payment_mode`;
END;
--> statement-breakpoint
CREATE TRIGGER `balances_fixed` BEFORE UPDATE OF `user_id`, `payment_mode`, `last_ref` ON `balances`
WHEN NEW.`user_id` IS NOT OLD.`user_id`
  OR NEW.`payment_mode` IS NOT OLD.`payment_mode`
  OR NEW.`last_ref` IS NOT (
    SELECT l.`ref` FROM `ledger` l WHERE l.`rowid` = (SELECT max(`rowid`) FROM `ledger`)
  )
BEGIN
  SELECT RAISE(ABORT, 'the balance follows the ledger');
END;
--> statement-breakpoint
CREATE TRIGGER `balances_kept` BEFORE DELETE ON `balances`
BEGIN
  SELECT RAISE(ABORT, 'a balance cannot be deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `shortfalls_whole` BEFORE INSERT ON `shortfalls`
WHEN typeof(NEW.`tokens`) <> 'integer'
BEGIN
  SELECT RAISE(ABORT, 'tokens are whole numbers');
END;
--> statement-breakpoint
CREATE TRIGGER `shortfalls_stay_whole` BEFORE UPDATE OF `tokens` ON `shortfalls`
WHEN typeof(NEW.`tokens`) <> 'integer'
BEGIN
  SELECT RAISE(ABORT, 'tokens are whole numbers');
END;
--> statement-breakpoint
-- A shortfall is what could not be taken: it grows only while the user has no tokens left.
CREATE TRIGGER `shortfalls_begun` AFTER INSERT ON `shortfalls`
WHEN NEW.`tokens` > 0 AND EXISTS (
  SELECT 1 FROM `grants` g
  JOIN `balances` b ON b.`user_id` = g.`user_id` AND b.`payment_mode` = g.`payment_mode`
  WHERE g.`purchase_id` = NEW.`purchase_id` AND b.`used` < b.`total`
)
BEGIN
  SELECT RAISE(ABORT, 'what is left is taken before it is missed');
END;
--> statement-breakpoint
CREATE TRIGGER `shortfalls_grown` AFTER UPDATE OF `tokens` ON `shortfalls`
WHEN NEW.`tokens` > OLD.`tokens` AND EXISTS (
  SELECT 1 FROM `grants` g
  JOIN `balances` b ON b.`user_id` = g.`user_id` AND b.`payment_mode` = g.`payment_mode`
  WHERE g.`purchase_id` = NEW.`purchase_id` AND b.`used` < b.`total`
)
BEGIN
  SELECT RAISE(ABORT, 'what is left is taken before it is missed');
END;
--> statement-breakpoint
CREATE TRIGGER `order_keys_fixed` BEFORE UPDATE ON `order_keys`
BEGIN
  SELECT RAISE(ABORT, 'a key names one purchase');
END;
--> statement-breakpoint
-- A day's usage is the sum of the ledger's uses of that day.
CREATE TRIGGER `ledger_used_on_day` AFTER INSERT ON `ledger`
WHEN NEW.`kind` = 'use'
BEGIN
  INSERT INTO `usage_days` (`user_id`, `payment_mode`, `day`, `tokens`)
  VALUES (NEW.`user_id`, NEW.`payment_mode`, NEW.`created_at` - NEW.`created_at` % 86400000, -NEW.`tokens`)
  ON CONFLICT (`user_id`, `payment_mode`, `day`) DO UPDATE SET `tokens` = `tokens` - NEW.`tokens`;
END;
--> statement-breakpoint
-- A usage session counts once it has ended. The end is written once.
CREATE TRIGGER `usage_sessions_ended` AFTER UPDATE OF `ended_at` ON `usage_sessions`
WHEN OLD.`ended_at` IS NULL AND NEW.`ended_at` IS NOT NULL
BEGIN
  INSERT INTO `usage_totals` (`user_id`, `completed`, `rated`, `succeeded`, `seconds_saved`)
  VALUES (NEW.`user_id`, 1, NEW.`has_succeeded` IS NOT NULL, coalesce(NEW.`has_succeeded`, 0), NEW.`seconds_saved`)
  ON CONFLICT (`user_id`) DO UPDATE SET
    `completed` = `completed` + 1,
    `rated` = `rated` + excluded.`rated`,
    `succeeded` = `succeeded` + excluded.`succeeded`,
    `seconds_saved` = `seconds_saved` + excluded.`seconds_saved`;
END;
--> statement-breakpoint
CREATE TRIGGER `usage_sessions_begun_ended` AFTER INSERT ON `usage_sessions`
WHEN NEW.`ended_at` IS NOT NULL
BEGIN
  INSERT INTO `usage_totals` (`user_id`, `completed`, `rated`, `succeeded`, `seconds_saved`)
  VALUES (NEW.`user_id`, 1, NEW.`has_succeeded` IS NOT NULL, coalesce(NEW.`has_succeeded`, 0), NEW.`seconds_saved`)
  ON CONFLICT (`user_id`) DO UPDATE SET
    `completed` = `completed` + 1,
    `rated` = `rated` + excluded.`rated`,
    `succeeded` = `succeeded` + excluded.`succeeded`,
    `seconds_saved` = `seconds_saved` + excluded.`seconds_saved`;
END;
--> statement-breakpoint
-- What an operator did stays written down.
CREATE TRIGGER `desk_acts_fixed` BEFORE UPDATE ON `desk_acts`
BEGIN
  SELECT RAISE(ABORT, 'an act of an operator cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER `desk_acts_kept` BEFORE DELETE ON `desk_acts`
BEGIN
  SELECT RAISE(ABORT, 'an act of an operator cannot be deleted');
END;
--> statement-breakpoint
-- An alarm grows until it is acknowledged, and then stays as it is.
CREATE TRIGGER `alarms_fixed` BEFORE UPDATE ON `alarms`
WHEN OLD.`acknowledged_at` IS NOT NULL
  OR NEW.`id` IS NOT OLD.`id`
  OR NEW.`kind` IS NOT OLD.`kind`
  OR NEW.`first_seen_at` IS NOT OLD.`first_seen_at`
  OR NEW.`last_seen_at` < OLD.`last_seen_at`
  OR NEW.`count` < OLD.`count`
  OR (NEW.`acknowledged_at` IS NULL) IS NOT (NEW.`acknowledged_by` IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'an alarm cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER `alarms_kept` BEFORE DELETE ON `alarms`
BEGIN
  SELECT RAISE(ABORT, 'an alarm cannot be deleted');
END;
