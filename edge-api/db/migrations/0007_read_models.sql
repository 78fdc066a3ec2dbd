ALTER TABLE `purchases` ADD `reversed_at` integer;
--> statement-breakpoint
ALTER TABLE `payments` ADD `refunded_minor` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `payments` ADD `lost_minor` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `payments` ADD `pending_refund_minor` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- The values that the core keeps from now on. verify-ledger names a purchase of which they are not what settling it again makes.
-- Safe with the deployed Worker: it does not know the columns.
UPDATE `payments` SET
  `refunded_minor` = max(
    `amount_refunded_minor` - (
      SELECT coalesce(sum(t.`amount_minor`), 0) FROM `refunds_and_disputes` t
      WHERE t.`payment_id` = `payments`.`id` AND t.`kind` = 'refund' AND t.`state` = 'undone'
    ), (
      SELECT coalesce(sum(t.`amount_minor`), 0) FROM `refunds_and_disputes` t
      WHERE t.`payment_id` = `payments`.`id` AND t.`kind` = 'refund' AND t.`state` <> 'undone'
    )
  ),
  `lost_minor` = (
    SELECT coalesce(sum(iif(t.`currency` = `payments`.`currency`, t.`amount_minor`, `payments`.`amount_minor`)), 0)
    FROM `refunds_and_disputes` t
    WHERE t.`payment_id` = `payments`.`id` AND t.`kind` = 'dispute' AND t.`state` = 'final' AND NOT EXISTS (
      SELECT 1 FROM `refunds_and_disputes` r
      WHERE r.`payment_id` = t.`payment_id` AND r.`kind` = 'refund' AND r.`state` <> 'undone'
        AND r.`amount_minor` = t.`amount_minor` AND r.`began_at` >= t.`began_at`
        AND NOT EXISTS (
          SELECT 1 FROM `owed_refunds` o JOIN json_each(o.`before`) b
          WHERE o.`payment_id` = t.`payment_id` AND o.`amount_minor` = r.`amount_minor` AND b.`value` = t.`id`
        )
    )
  );
--> statement-breakpoint
-- Safe with the deployed Worker: it does not know the column.
UPDATE `payments` SET `pending_refund_minor` = (
  SELECT coalesce(sum(o.`amount_minor` - min(o.`amount_minor`, (
    SELECT coalesce(sum(t.`amount_minor`), 0) FROM `refunds_and_disputes` t
    WHERE t.`payment_id` = o.`payment_id` AND t.`state` <> 'undone' AND (t.`kind` = 'refund' OR t.`state` = 'final')
      AND t.`id` NOT IN (SELECT b.`value` FROM json_each(o.`before`) b)
      AND NOT ('' IN (SELECT b.`value` FROM json_each(o.`before`) b) AND t.`began_at` + 60000 < o.`created_at`)
      AND NOT EXISTS (
        SELECT 1 FROM `owed_refunds` e
        WHERE e.`payment_id` = o.`payment_id` AND e.`number` <> o.`number` AND e.`done_at` IS NOT NULL
          AND t.`id` NOT IN (SELECT b.`value` FROM json_each(e.`before`) b)
      )
  ))), 0)
  FROM `owed_refunds` o WHERE o.`payment_id` = `payments`.`id` AND o.`done_at` IS NULL
)
WHERE `id` IN (SELECT o.`payment_id` FROM `owed_refunds` o WHERE o.`done_at` IS NULL);
--> statement-breakpoint
-- Safe with the deployed Worker: it does not know the column.
UPDATE `purchases` SET `reversed_at` = coalesce(
  (SELECT o.`created_at` FROM `owed_refunds` o WHERE o.`purchase_id` = `purchases`.`id` AND o.`reason` = 'asked_for'),
  (
    SELECT max(t.`began_at`) FROM `refunds_and_disputes` t JOIN `grants` g ON g.`payment_id` = t.`payment_id`
    WHERE g.`purchase_id` = `purchases`.`id` AND t.`state` IN ('open', 'final')
  ),
  `updated_at`
)
WHERE `paid_at` > 0 AND (
  `status` = 'refunded'
  OR EXISTS (SELECT 1 FROM `owed_refunds` o WHERE o.`purchase_id` = `purchases`.`id` AND o.`reason` = 'asked_for')
  OR EXISTS (
    SELECT 1 FROM `refunds_and_disputes` t JOIN `grants` g ON g.`payment_id` = t.`payment_id`
    WHERE g.`purchase_id` = `purchases`.`id` AND t.`kind` = 'dispute' AND t.`state` = 'open'
  )
);
--> statement-breakpoint
-- Safe with the deployed Worker: it checks the version in its own batches.
DROP TRIGGER `money_changed_by_payment`;
--> statement-breakpoint
-- Safe with the deployed Worker: it checks the version in its own batches.
DROP TRIGGER `money_changed_by_report`;
--> statement-breakpoint
-- Safe with the deployed Worker: it checks the version in its own batches.
DROP TRIGGER `money_changed_by_refund`;
--> statement-breakpoint
-- Safe with the deployed Worker: it checks the version in its own batches.
DROP TRIGGER `money_changed_by_refund_report`;
--> statement-breakpoint
-- Safe with the deployed Worker: it checks the version in its own batches.
DROP TRIGGER `money_changed_by_owing`;
--> statement-breakpoint
-- Safe with the deployed Worker: it checks the version in its own batches.
DROP TRIGGER `money_changed_by_entry`;
--> statement-breakpoint
-- Safe with the deployed Worker: it writes both columns itself.
DROP TRIGGER `owed_refunds_known_before`;
--> statement-breakpoint
-- Safe with the deployed Worker: it reads the column before instead.
DROP TRIGGER `refunds_and_disputes_stored`;
--> statement-breakpoint
-- Safe with the deployed Worker: it reads the column before instead.
DROP TRIGGER `refunds_and_disputes_undone`;
--> statement-breakpoint
-- Safe with the deployed Worker: it neither reads nor writes the column.
ALTER TABLE `refunds_and_disputes` DROP COLUMN `stored_after`;
--> statement-breakpoint
-- Safe with the deployed Worker: it neither reads nor writes the column.
ALTER TABLE `refunds_and_disputes` DROP COLUMN `undone_after`;
--> statement-breakpoint
-- Safe with the deployed Worker: it neither reads nor writes the column.
ALTER TABLE `owed_refunds` DROP COLUMN `refunded_before_minor`;
--> statement-breakpoint
-- Safe with the deployed Worker: it neither reads nor writes the column.
ALTER TABLE `owed_refunds` DROP COLUMN `lost_before_minor`;
--> statement-breakpoint
-- Safe with the deployed Worker: it takes the next number from the documents themselves.
DROP TRIGGER `receipts_counted`;
--> statement-breakpoint
-- Safe with the deployed Worker: it takes the next number from the documents themselves.
DROP TRIGGER `credit_notes_counted`;
--> statement-breakpoint
-- Safe with the deployed Worker: it takes the next number from the documents themselves.
DROP TABLE `document_series`;
