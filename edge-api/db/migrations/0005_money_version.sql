ALTER TABLE `users` ADD `money_version` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- While the Worker before still runs: what it writes counts as a change, too. The next release drops these triggers.
-- Safe with the deployed Worker: the triggers write a column that it does not know.
CREATE TRIGGER `money_changed_by_payment` AFTER INSERT ON `payments`
BEGIN
  UPDATE `users` SET `money_version` = `money_version` + 1
  WHERE `id` = (SELECT p.`user_id` FROM `purchases` p WHERE p.`id` = NEW.`purchase_id`);
END;
--> statement-breakpoint
-- Safe with the deployed Worker: it writes a column that the Worker does not know.
CREATE TRIGGER `money_changed_by_report` AFTER UPDATE ON `payments`
BEGIN
  UPDATE `users` SET `money_version` = `money_version` + 1
  WHERE `id` = (SELECT p.`user_id` FROM `purchases` p WHERE p.`id` = NEW.`purchase_id`);
END;
--> statement-breakpoint
-- Safe with the deployed Worker: it writes a column that the Worker does not know.
CREATE TRIGGER `money_changed_by_refund` AFTER INSERT ON `refunds_and_disputes`
BEGIN
  UPDATE `users` SET `money_version` = `money_version` + 1
  WHERE `id` = (
    SELECT p.`user_id` FROM `payments` m JOIN `purchases` p ON p.`id` = m.`purchase_id` WHERE m.`id` = NEW.`payment_id`
  );
END;
--> statement-breakpoint
-- Safe with the deployed Worker: it writes a column that the Worker does not know.
CREATE TRIGGER `money_changed_by_refund_report` AFTER UPDATE ON `refunds_and_disputes`
BEGIN
  UPDATE `users` SET `money_version` = `money_version` + 1
  WHERE `id` = (
    SELECT p.`user_id` FROM `payments` m JOIN `purchases` p ON p.`id` = m.`purchase_id` WHERE m.`id` = NEW.`payment_id`
  );
END;
--> statement-breakpoint
-- Safe with the deployed Worker: it writes a column that the Worker does not know.
CREATE TRIGGER `money_changed_by_owing` AFTER INSERT ON `owed_refunds`
BEGIN
  UPDATE `users` SET `money_version` = `money_version` + 1
  WHERE `id` = (SELECT p.`user_id` FROM `purchases` p WHERE p.`id` = NEW.`purchase_id`);
END;
--> statement-breakpoint
-- Safe with the deployed Worker: it writes a column that the Worker does not know.
CREATE TRIGGER `money_changed_by_entry` AFTER INSERT ON `ledger`
WHEN NEW.`purchase_id` IS NOT NULL
BEGIN
  UPDATE `users` SET `money_version` = `money_version` + 1 WHERE `id` = NEW.`user_id`;
END;
