-- More of what the tables must refuse (docs/decisions/0040-facts-in-one-batch.md).

-- Refunds and disputes only move forward: open, final, undone.
CREATE TRIGGER `takebacks_forward` BEFORE UPDATE ON `takebacks`
WHEN NEW.`id` IS NOT OLD.`id`
  OR NEW.`kind` IS NOT OLD.`kind`
  OR NEW.`payment_id` IS NOT OLD.`payment_id`
  OR NEW.`amount_minor` < OLD.`amount_minor`
  OR (OLD.`state` = 'undone' AND NEW.`state` <> 'undone')
  OR (OLD.`state` = 'final' AND NEW.`state` = 'open')
BEGIN
  SELECT RAISE(ABORT, 'a refund or dispute only moves forward');
END;
--> statement-breakpoint
CREATE TRIGGER `takebacks_kept` BEFORE DELETE ON `takebacks`
BEGIN
  SELECT RAISE(ABORT, 'a refund or dispute cannot be deleted');
END;
--> statement-breakpoint
CREATE TRIGGER `owed_refunds_fixed` BEFORE UPDATE ON `owed_refunds`
WHEN NEW.`payment_id` IS NOT OLD.`payment_id`
  OR NEW.`purchase_id` IS NOT OLD.`purchase_id`
  OR NEW.`reason` IS NOT OLD.`reason`
  OR NEW.`amount_minor` IS NOT OLD.`amount_minor`
BEGIN
  SELECT RAISE(ABORT, 'what is owed cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER `owed_refunds_kept` BEFORE DELETE ON `owed_refunds`
BEGIN
  SELECT RAISE(ABORT, 'what is owed cannot be deleted');
END;
--> statement-breakpoint
-- Money that backs a grant is not owed back, and only captured money is.
CREATE TRIGGER `owed_refunds_backed` BEFORE INSERT ON `owed_refunds`
WHEN EXISTS (SELECT 1 FROM `grants` g WHERE g.`payment_id` = NEW.`payment_id`)
  OR NOT EXISTS (
    SELECT 1 FROM `payments` m
    WHERE m.`id` = NEW.`payment_id`
      AND m.`purchase_id` = NEW.`purchase_id`
      AND m.`rank` = 3
      AND m.`amount_minor` = NEW.`amount_minor`
  )
BEGIN
  SELECT RAISE(ABORT, 'only extra captured money is owed back');
END;
--> statement-breakpoint
-- The status follows the grant, never the other way round.
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
-- What is taken back of a purchase stays between nothing and what it granted.
CREATE TRIGGER `ledger_taken_back` BEFORE INSERT ON `ledger`
WHEN NEW.`kind` IN ('reversal', 'restoration') AND NOT EXISTS (
  SELECT 1 FROM `grants` g
  WHERE g.`purchase_id` = NEW.`purchase_id`
    AND g.`user_id` = NEW.`user_id`
    AND g.`mode` = NEW.`mode`
    AND NEW.`tokens` + (
      SELECT coalesce(sum(l.`tokens`), 0) FROM `ledger` l
      WHERE l.`purchase_id` = NEW.`purchase_id` AND l.`kind` IN ('reversal', 'restoration')
    ) BETWEEN -g.`tokens` AND 0
)
BEGIN
  SELECT RAISE(ABORT, 'more cannot be taken back than was granted');
END;
--> statement-breakpoint
CREATE TRIGGER `receipts_gapless` BEFORE INSERT ON `receipts`
WHEN NEW.`number` <> (SELECT coalesce(max(r.`number`), 0) + 1 FROM `receipts` r)
BEGIN
  SELECT RAISE(ABORT, 'receipts are numbered without gaps');
END;
