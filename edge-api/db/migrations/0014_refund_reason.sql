ALTER TABLE `refunds_and_disputes` ADD `reason` text;
--> statement-breakpoint
-- Safe with the deployed Worker: it does not read the new column. Which refund we sent was noted in the pending refund alone.
UPDATE `refunds_and_disputes` SET `reason` = o.`id`
FROM `owed_refunds` o WHERE o.`refund_id` = `refunds_and_disputes`.`id`;
--> statement-breakpoint
-- Safe with the deployed Worker: the column is not in its schema.
ALTER TABLE `payments` DROP COLUMN `base_amount_minor`;
--> statement-breakpoint
-- Safe with the deployed Worker: the column is not in its schema.
ALTER TABLE `payments` DROP COLUMN `base_currency`;
