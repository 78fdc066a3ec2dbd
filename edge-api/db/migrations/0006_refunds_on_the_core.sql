ALTER TABLE `owed_refunds` ADD `before` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
ALTER TABLE `owed_refunds` ADD `id` text DEFAULT '' NOT NULL;
--> statement-breakpoint
-- The refunds and lost disputes that each amount took into account. `rest` was known from Razorpay's sum alone: it counts as the
-- refunds that began before, and while none of them is known as one without an id.
-- Safe with the deployed Worker: it does not know the column.
UPDATE `owed_refunds` SET `before` = (
  WITH `counted` AS (
    SELECT o.`payment_id`, o.`number`, o.`created_at`, o.`lost_before_minor` AS `lost`,
      o.`refunded_before_minor` - o.`lost_before_minor` - (
        SELECT coalesce(sum(t.`amount_minor`), 0) FROM `refunds_and_disputes` t
        WHERE t.`payment_id` = o.`payment_id` AND t.`kind` = 'refund' AND coalesce(t.`stored_after`, -1) < o.`number`
      ) - (
        SELECT coalesce(sum(e.`amount_minor`), 0) FROM `owed_refunds` e
        WHERE e.`payment_id` = o.`payment_id` AND e.`number` < o.`number`
      ) AS `rest`
    FROM `owed_refunds` o WHERE o.`number` > 0
  )
  SELECT json_group_array(b.`id`) FROM `counted` c JOIN (
    SELECT t.`id`, t.`payment_id`, t.`kind`, t.`began_at`, t.`amount_minor`, coalesce(t.`stored_after`, -1) AS `stored_after`
    FROM `refunds_and_disputes` t
    UNION ALL
    SELECT '', m.`id`, 'sum', 0, 0, 0 FROM `payments` m
  ) b ON b.`payment_id` = c.`payment_id`
  WHERE c.`payment_id` = `owed_refunds`.`payment_id` AND c.`number` = `owed_refunds`.`number` AND CASE b.`kind`
    WHEN 'refund' THEN b.`stored_after` < c.`number` OR (c.`rest` > 0 AND b.`began_at` + 60000 < c.`created_at`)
    WHEN 'dispute' THEN b.`stored_after` < c.`number` AND c.`lost` > 0
    ELSE c.`rest` > (
      SELECT coalesce(sum(t.`amount_minor`), 0) FROM `refunds_and_disputes` t
      WHERE t.`payment_id` = c.`payment_id` AND t.`kind` = 'refund' AND t.`stored_after` >= c.`number`
        AND t.`began_at` + 60000 < c.`created_at`
    )
  END
)
WHERE `number` > 0;
--> statement-breakpoint
-- A refund that was tried keeps the key under which it was tried: a lost answer must not send it twice.
-- Safe with the deployed Worker: it does not know the column.
UPDATE `owed_refunds` SET `id` = CASE `reason`
  WHEN 'asked_for' THEN 'asked-' || `payment_id` || '-' || `amount_minor`
  WHEN 'goodwill' THEN 'goodwill-' || `payment_id` || '-' || `number` || '-' || `amount_minor`
  ELSE 'excess-' || `payment_id`
END;
--> statement-breakpoint
-- The same for what the Worker before still writes. The next release drops this trigger.
-- Safe with the deployed Worker: it writes columns that the Worker does not know.
CREATE TRIGGER `owed_refunds_known_before` AFTER INSERT ON `owed_refunds`
WHEN NEW.`id` = ''
BEGIN
  UPDATE `owed_refunds` SET
    `before` = iif(NEW.`number` = 0, '[]', (
      SELECT json_group_array(t.`id`) FROM `refunds_and_disputes` t
      WHERE t.`payment_id` = NEW.`payment_id` AND (t.`kind` = 'refund' OR NEW.`lost_before_minor` > 0)
    )),
    `id` = CASE NEW.`reason`
      WHEN 'asked_for' THEN 'asked-' || NEW.`payment_id` || '-' || NEW.`amount_minor`
      WHEN 'goodwill' THEN 'goodwill-' || NEW.`payment_id` || '-' || NEW.`number` || '-' || NEW.`amount_minor`
      ELSE 'excess-' || NEW.`payment_id`
    END
  WHERE `payment_id` = NEW.`payment_id` AND `number` = NEW.`number`;
END;
