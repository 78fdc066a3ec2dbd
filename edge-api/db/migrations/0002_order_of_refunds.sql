ALTER TABLE `refunds_and_disputes` ADD `stored_after` integer;
--> statement-breakpoint
ALTER TABLE `refunds_and_disputes` ADD `undone_after` integer;
--> statement-breakpoint
-- Safe with the deployed Worker: it does not read the new columns, and the triggers below write them.
UPDATE `refunds_and_disputes` SET
  `stored_after` = (
    SELECT coalesce(max(o.`number`), -1) FROM `owed_refunds` o
    WHERE o.`payment_id` = `refunds_and_disputes`.`payment_id`
      AND o.`created_at` <= `refunds_and_disputes`.`created_at`
  ),
  `undone_after` = iif(`state` = 'undone', (
    SELECT coalesce(max(o.`number`), -1) FROM `owed_refunds` o
    WHERE o.`payment_id` = `refunds_and_disputes`.`payment_id`
      AND o.`created_at` < `refunds_and_disputes`.`updated_at`
  ), NULL);
--> statement-breakpoint
-- Which refunds were there, and which had failed, when a refund became due: times of one millisecond do not say.
-- Safe with the deployed Worker: the triggers write columns that it does not know.
CREATE TRIGGER `refunds_and_disputes_stored` AFTER INSERT ON `refunds_and_disputes`
BEGIN
  UPDATE `refunds_and_disputes` SET
    `stored_after` = (
      SELECT coalesce(max(o.`number`), -1) FROM `owed_refunds` o WHERE o.`payment_id` = NEW.`payment_id`
    ),
    `undone_after` = iif(NEW.`state` = 'undone', (
      SELECT coalesce(max(o.`number`), -1) FROM `owed_refunds` o WHERE o.`payment_id` = NEW.`payment_id`
    ), NULL)
  WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
-- Safe with the deployed Worker: it writes a column that the Worker does not know.
CREATE TRIGGER `refunds_and_disputes_undone` AFTER UPDATE OF `state` ON `refunds_and_disputes`
WHEN NEW.`state` = 'undone' AND OLD.`state` <> 'undone'
BEGIN
  UPDATE `refunds_and_disputes` SET `undone_after` = (
    SELECT coalesce(max(o.`number`), -1) FROM `owed_refunds` o WHERE o.`payment_id` = NEW.`payment_id`
  )
  WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
-- Safe with the deployed Worker: it writes neither of these columns.
CREATE TRIGGER `refunds_and_disputes_order` BEFORE UPDATE OF `stored_after`, `undone_after` ON `refunds_and_disputes`
WHEN NEW.`stored_after` IS NOT coalesce(OLD.`stored_after`, NEW.`stored_after`)
  OR (NEW.`undone_after` IS NOT OLD.`undone_after` AND NEW.`state` <> 'undone')
  OR (OLD.`kind` = 'refund' AND NEW.`undone_after` IS NOT coalesce(OLD.`undone_after`, NEW.`undone_after`))
BEGIN
  SELECT RAISE(ABORT, 'a refund or dispute only moves forward');
END;
