-- Safe with the deployed Worker: it neither reads nor writes these columns.
ALTER TABLE `owed_refunds` ADD `told_at` integer;
--> statement-breakpoint
ALTER TABLE `owed_refunds` ADD `end_told_at` integer;
--> statement-breakpoint
CREATE INDEX `owed_refunds_ended` ON `owed_refunds` (`done_at`) WHERE "done_at" IS NOT NULL;
--> statement-breakpoint
-- Safe with the deployed Worker: it does not read the column. Mails that said so count, also those that are deleted by now.
UPDATE `owed_refunds` SET `told_at` = `created_at`
WHERE `reason` = 'mismatch' OR EXISTS (
  SELECT 1 FROM `mails` m WHERE m.`id` = 'mail-refund-held:' || `owed_refunds`.`payment_id`
);
