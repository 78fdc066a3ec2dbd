-- What the tables must refuse whatever the code does (docs/decisions/0004-invariants-in-the-database.md).

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
  OR NEW.`mode` IS NOT OLD.`mode`
  OR NEW.`channel` IS NOT OLD.`channel`
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
    AND p.`mode` = NEW.`mode`
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
    AND g.`mode` = NEW.`mode`
)
BEGIN
  SELECT RAISE(ABORT, 'a grant entry needs its grant');
END;
--> statement-breakpoint
-- Nothing is taken that is not there.
CREATE TRIGGER `ledger_covered` BEFORE INSERT ON `ledger`
WHEN NEW.`tokens` < 0 AND NOT EXISTS (
  SELECT 1 FROM `balances` b
  WHERE b.`user_id` = NEW.`user_id` AND b.`mode` = NEW.`mode` AND b.`total` - b.`used` >= -NEW.`tokens`
)
BEGIN
  SELECT RAISE(ABORT, 'insufficient tokens');
END;
--> statement-breakpoint
-- The balance is the sum of the ledger.
CREATE TRIGGER `ledger_added` AFTER INSERT ON `ledger`
WHEN NEW.`tokens` > 0
BEGIN
  INSERT INTO `balances` (`user_id`, `mode`, `total`, `used`) VALUES (NEW.`user_id`, NEW.`mode`, NEW.`tokens`, 0)
  ON CONFLICT (`user_id`, `mode`) DO UPDATE SET `total` = `total` + NEW.`tokens`;
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_used` AFTER INSERT ON `ledger`
WHEN NEW.`kind` = 'use'
BEGIN
  UPDATE `balances` SET `used` = `used` - NEW.`tokens` WHERE `user_id` = NEW.`user_id` AND `mode` = NEW.`mode`;
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_reversed` AFTER INSERT ON `ledger`
WHEN NEW.`kind` = 'reversal'
BEGIN
  UPDATE `balances` SET `total` = `total` + NEW.`tokens` WHERE `user_id` = NEW.`user_id` AND `mode` = NEW.`mode`;
END;
