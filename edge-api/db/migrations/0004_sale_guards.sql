-- Sales stay what they were written as (docs/decisions/0004-invariants-in-the-database.md).

-- REPLACE deletes without the triggers of DELETE, so what is there already is looked for before it can. The one
-- writer repeats itself by its idempotency key (ON CONFLICT DO NOTHING): there nothing happens.
CREATE TRIGGER `purchases_opened_once` BEFORE INSERT ON `purchases`
BEGIN
  SELECT RAISE(ABORT, 'a purchase is opened once')
  WHERE EXISTS (SELECT 1 FROM `purchases` p WHERE p.`id` = NEW.`id`);
  SELECT RAISE(ABORT, 'an order belongs to one purchase')
  WHERE EXISTS (
    SELECT 1 FROM `purchases` p
    WHERE p.`razorpay_order_id` IN (NEW.`razorpay_order_id`, NEW.`razorpay_link_order_id`)
      OR p.`razorpay_link_order_id` IN (NEW.`razorpay_order_id`, NEW.`razorpay_link_order_id`)
      OR p.`razorpay_link_id` = NEW.`razorpay_link_id`
  );
  SELECT RAISE(IGNORE)
  WHERE EXISTS (
    SELECT 1 FROM `purchases` p
    WHERE p.`user_id` = NEW.`user_id` AND p.`idempotency_key` = NEW.`idempotency_key`
  );
END;
--> statement-breakpoint
-- Whichever of its two orders it was paid by: one order, one purchase.
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
CREATE TRIGGER `purchases_key_fixed` BEFORE UPDATE OF `idempotency_key` ON `purchases`
WHEN NEW.`idempotency_key` IS NOT OLD.`idempotency_key`
BEGIN
  SELECT RAISE(ABORT, 'a purchase cannot be changed');
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
-- Paid when it was granted, and not otherwise.
CREATE TRIGGER `purchases_paid_when_granted` BEFORE UPDATE OF `paid_at` ON `purchases`
WHEN NEW.`paid_at` IS NOT (SELECT g.`granted_at` FROM `grants` g WHERE g.`purchase_id` = NEW.`id`)
BEGIN
  SELECT RAISE(ABORT, 'a purchase is paid when it is granted');
END;
--> statement-breakpoint
-- Of any status a captured payment leads on to paid, review or refunded, late ones too, and nothing leads back.
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
      OR EXISTS (SELECT 1 FROM `takebacks` t WHERE t.`payment_id` = m.`id` AND t.`state` <> 'undone')
    )
  );
  SELECT RAISE(ABORT, 'an authorized purchase needs its payment')
  WHERE NEW.`status` = 'authorized' AND NOT EXISTS (
    SELECT 1 FROM `payments` m WHERE m.`purchase_id` = NEW.`id` AND m.`rank` = 2
  );
END;
--> statement-breakpoint
-- What rests on a payment was written after it: where it is there first, REPLACE took the payment from under it.
-- (Before the insert nobody can tell REPLACE from the ON CONFLICT DO UPDATE by which facts grow.)
CREATE TRIGGER `payments_stored_once` AFTER INSERT ON `payments`
WHEN EXISTS (SELECT 1 FROM `grants` g WHERE g.`payment_id` = NEW.`id`)
  OR EXISTS (SELECT 1 FROM `owed_refunds` o WHERE o.`payment_id` = NEW.`id`)
  OR EXISTS (SELECT 1 FROM `takebacks` t WHERE t.`payment_id` = NEW.`id`)
BEGIN
  SELECT RAISE(ABORT, 'a payment only moves forward');
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
CREATE TRIGGER `takebacks_whole` BEFORE INSERT ON `takebacks`
WHEN typeof(NEW.`amount_minor`) <> 'integer'
BEGIN
  SELECT RAISE(ABORT, 'amounts are whole numbers');
END;
--> statement-breakpoint
CREATE TRIGGER `takebacks_stay_whole` BEFORE UPDATE OF `amount_minor` ON `takebacks`
WHEN typeof(NEW.`amount_minor`) <> 'integer'
BEGIN
  SELECT RAISE(ABORT, 'amounts are whole numbers');
END;
--> statement-breakpoint
CREATE TRIGGER `grants_given_once` BEFORE INSERT ON `grants`
WHEN EXISTS (SELECT 1 FROM `grants` g WHERE g.`purchase_id` = NEW.`purchase_id`)
  OR EXISTS (SELECT 1 FROM `grants` g WHERE g.`payment_id` = NEW.`payment_id`)
BEGIN
  SELECT RAISE(ABORT, 'a purchase is granted once');
END;
--> statement-breakpoint
CREATE TRIGGER `receipts_issued_once` BEFORE INSERT ON `receipts`
WHEN EXISTS (SELECT 1 FROM `receipts` r WHERE r.`purchase_id` = NEW.`purchase_id`)
BEGIN
  SELECT RAISE(ABORT, 'a receipt is issued once');
END;
--> statement-breakpoint
CREATE TRIGGER `owed_refunds_owed_once` BEFORE INSERT ON `owed_refunds`
WHEN EXISTS (SELECT 1 FROM `owed_refunds` o WHERE o.`payment_id` = NEW.`payment_id`)
BEGIN
  SELECT RAISE(ABORT, 'what is owed cannot be changed');
END;
