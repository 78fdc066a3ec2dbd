-- Every trigger of the database, as the migrations left it: read this, change them by a migration. guards.test.ts says what
-- each is for. After a migration that changes one: npm test -- edge-api/db/guards -u
-- Older names: owed_refunds are the code's pendingRefunds, its before is deducted, rank is the status of a payment (3: captured),
-- proven_at is verifiedAt, desk_acts are the adminLog, and alarms the alerts.

CREATE TRIGGER `alarms_fixed` BEFORE UPDATE ON `alarms`
WHEN (OLD.`acknowledged_at` IS NOT NULL AND (
    NEW.`fields` <> '{}'
    OR NEW.`acknowledged_at` IS NOT OLD.`acknowledged_at`
    OR NEW.`acknowledged_by` IS NOT OLD.`acknowledged_by`
    OR NEW.`last_seen_at` IS NOT OLD.`last_seen_at`
    OR NEW.`count` IS NOT OLD.`count`
  ))
  OR NEW.`id` IS NOT OLD.`id`
  OR NEW.`kind` IS NOT OLD.`kind`
  OR NEW.`first_seen_at` IS NOT OLD.`first_seen_at`
  OR NEW.`last_seen_at` < OLD.`last_seen_at`
  OR NEW.`count` < OLD.`count`
  OR (NEW.`acknowledged_at` IS NULL) IS NOT (NEW.`acknowledged_by` IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'an alarm cannot be changed');
END;

CREATE TRIGGER `alarms_kept` BEFORE DELETE ON `alarms`
BEGIN
  SELECT RAISE(ABORT, 'an alarm cannot be deleted');
END;

CREATE TRIGGER `credit_notes_fixed` BEFORE UPDATE ON `credit_notes`
BEGIN
  SELECT RAISE(ABORT, 'a credit note cannot be changed');
END;

CREATE TRIGGER `credit_notes_kept` BEFORE DELETE ON `credit_notes`
BEGIN
  SELECT RAISE(ABORT, 'a credit note cannot be deleted');
END;

CREATE TRIGGER `desk_acts_fixed` BEFORE UPDATE ON `desk_acts`
BEGIN
  SELECT RAISE(ABORT, 'an act of an operator cannot be changed');
END;

CREATE TRIGGER `desk_acts_kept` BEFORE DELETE ON `desk_acts`
BEGIN
  SELECT RAISE(ABORT, 'an act of an operator cannot be deleted');
END;

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
    AND m.`razorpay_order_id` IN (p.`razorpay_order_id`, p.`razorpay_link_order_id`)
    AND p.`user_id` = NEW.`user_id`
    AND p.`tokens` = NEW.`tokens`
    AND p.`payment_mode` = NEW.`payment_mode`
    AND NOT EXISTS (SELECT 1 FROM `owed_refunds` o WHERE o.`payment_id` = m.`id`)
)
BEGIN
  SELECT RAISE(ABORT, 'a grant needs a matching captured payment that is not owed back');
END;

CREATE TRIGGER `ledger_added` AFTER INSERT ON `ledger`
WHEN NEW.`tokens` > 0
BEGIN
  INSERT INTO `balances` (`user_id`, `payment_mode`, `total`, `used`) VALUES (NEW.`user_id`, NEW.`payment_mode`, NEW.`tokens`, 0)
  ON CONFLICT (`user_id`, `payment_mode`) DO UPDATE SET `total` = `total` + NEW.`tokens`;
END;

CREATE TRIGGER `ledger_brought` AFTER INSERT ON `ledger`
WHEN NEW.`tokens` > 0 AND NEW.`kind` <> 'restoration'
BEGIN
  INSERT INTO `lots` (`ref`, `user_id`, `payment_mode`, `purchase_id`, `tokens`, `left`)
  VALUES (NEW.`ref`, NEW.`user_id`, NEW.`payment_mode`, NEW.`purchase_id`, NEW.`tokens`, NEW.`tokens`);
END;

CREATE TRIGGER `ledger_fixed` BEFORE UPDATE ON `ledger`
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER `ledger_kept` BEFORE DELETE ON `ledger`
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER `ledger_returned` AFTER INSERT ON `ledger`
WHEN NEW.`kind` IN ('reversal', 'restoration')
BEGIN
  UPDATE `lots` SET `left` = `left` + NEW.`tokens` WHERE `purchase_id` = NEW.`purchase_id`;
END;

CREATE TRIGGER `ledger_reversed` AFTER INSERT ON `ledger`
WHEN NEW.`kind` IN ('reversal', 'adjustment') AND NEW.`tokens` < 0
BEGIN
  UPDATE `balances` SET `total` = `total` + NEW.`tokens` WHERE `user_id` = NEW.`user_id` AND `payment_mode` = NEW.`payment_mode`;
END;

CREATE TRIGGER `ledger_took` AFTER INSERT ON `ledger`
WHEN NEW.`kind` IN ('use', 'adjustment') AND NEW.`tokens` < 0
BEGIN
  UPDATE `lots` SET `left` = `left` - min(`left`, -NEW.`tokens` - t.`before`)
  FROM (
    SELECT o.`number`, coalesce(sum(o.`left`) OVER (
      ORDER BY NEW.`kind` = 'adjustment' AND o.`purchase_id` IS NOT NULL, o.`number`
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), 0) AS `before`
    FROM `lots` o
    WHERE o.`user_id` = NEW.`user_id` AND o.`payment_mode` = NEW.`payment_mode` AND o.`left` > 0
      AND o.`number` <= (
        SELECT iif(NEW.`kind` = 'use' AND f.`left` >= -NEW.`tokens`, f.`number`, 9223372036854775807) FROM `lots` f
        WHERE f.`user_id` = NEW.`user_id` AND f.`payment_mode` = NEW.`payment_mode` AND f.`left` > 0
        ORDER BY f.`number` LIMIT 1
      )
  ) t
  WHERE `lots`.`number` = t.`number` AND t.`before` < -NEW.`tokens`;
END;

CREATE TRIGGER `ledger_used` AFTER INSERT ON `ledger`
WHEN NEW.`kind` = 'use'
BEGIN
  UPDATE `balances` SET `used` = `used` - NEW.`tokens` WHERE `user_id` = NEW.`user_id` AND `payment_mode` = NEW.`payment_mode`;
END;

CREATE TRIGGER `ledger_used_on_day` AFTER INSERT ON `ledger`
WHEN NEW.`kind` = 'use'
BEGIN
  INSERT INTO `usage_days` (`user_id`, `payment_mode`, `day`, `mode`, `tokens`)
  VALUES (NEW.`user_id`, NEW.`payment_mode`, NEW.`created_at` - NEW.`created_at` % 86400000, coalesce(NEW.`usage_mode`, ''), -NEW.`tokens`)
  ON CONFLICT (`user_id`, `payment_mode`, `day`, `mode`) DO UPDATE SET `tokens` = `tokens` - NEW.`tokens`;
END;

CREATE TRIGGER `owed_within_payment` BEFORE INSERT ON `owed_refunds`
WHEN NEW.`amount_minor` NOT BETWEEN 0 AND coalesce(
  (SELECT m.`amount_minor` FROM `payments` m WHERE m.`id` = NEW.`payment_id` AND m.`rank` = 3), -1
)
BEGIN
  SELECT RAISE(ABORT, 'no more is owed back than was paid');
END;

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
  OR NEW.`country` IS NOT OLD.`country`
  OR NEW.`created_at` IS NOT OLD.`created_at`
  OR (OLD.`razorpay_order_id` IS NOT NULL AND NEW.`razorpay_order_id` IS NOT OLD.`razorpay_order_id`)
  OR (OLD.`razorpay_link_id` IS NOT NULL AND NEW.`razorpay_link_id` IS NOT OLD.`razorpay_link_id`)
  OR (OLD.`razorpay_link_order_id` IS NOT NULL AND NEW.`razorpay_link_order_id` IS NOT OLD.`razorpay_link_order_id`)
BEGIN
  SELECT RAISE(ABORT, 'a purchase cannot be changed');
END;

CREATE TRIGGER `receipts_fixed` BEFORE UPDATE ON `receipts`
BEGIN
  SELECT RAISE(ABORT, 'a receipt cannot be changed');
END;

CREATE TRIGGER `receipts_kept` BEFORE DELETE ON `receipts`
BEGIN
  SELECT RAISE(ABORT, 'a receipt cannot be deleted');
END;

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
