-- The balance moves with the ledger and not otherwise (docs/decisions/0009-the-balance-is-kept-by-a-trigger.md).
-- Entries are never deleted, so the latest has the greatest rowid: one step down the tree, not a scan.

ALTER TABLE `balances` ADD `last_ref` text;
--> statement-breakpoint
UPDATE `balances` SET `last_ref` = (
  SELECT l.`ref` FROM `ledger` l
  WHERE l.`user_id` = `balances`.`user_id` AND l.`mode` = `balances`.`mode`
  ORDER BY l.`rowid` DESC LIMIT 1
);
--> statement-breakpoint
-- A balance begins with its first entry. A row that REPLACE wrote over another one gets here too.
CREATE TRIGGER `balances_begun` AFTER INSERT ON `balances`
BEGIN
  SELECT RAISE(ABORT, 'the balance follows the ledger')
  WHERE NOT EXISTS (
    SELECT 1 FROM `ledger` l
    WHERE l.`rowid` = (SELECT max(`rowid`) FROM `ledger`)
      AND l.`user_id` = NEW.`user_id`
      AND l.`mode` = NEW.`mode`
      AND l.`tokens` = NEW.`total`
      AND NEW.`used` = 0
  ) OR EXISTS (
    SELECT 1 FROM `ledger` l
    WHERE l.`user_id` = NEW.`user_id`
      AND l.`mode` = NEW.`mode`
      AND l.`rowid` <> (SELECT max(`rowid`) FROM `ledger`)
  );
  UPDATE `balances` SET `last_ref` = (
    SELECT l.`ref` FROM `ledger` l WHERE l.`rowid` = (SELECT max(`rowid`) FROM `ledger`)
  )
  WHERE `user_id` = NEW.`user_id` AND `mode` = NEW.`mode`;
END;
--> statement-breakpoint
-- It moves by what the latest entry says, and once for each.
CREATE TRIGGER `balances_moved` AFTER UPDATE OF `total`, `used` ON `balances`
BEGIN
  SELECT RAISE(ABORT, 'the balance follows the ledger')
  WHERE NOT EXISTS (
    SELECT 1 FROM `ledger` l
    WHERE l.`rowid` = (SELECT max(`rowid`) FROM `ledger`)
      AND l.`user_id` = NEW.`user_id`
      AND l.`mode` = NEW.`mode`
      AND l.`ref` IS NOT OLD.`last_ref`
      AND NEW.`total` - OLD.`total` = iif(l.`kind` = 'use', 0, l.`tokens`)
      AND NEW.`used` - OLD.`used` = iif(l.`kind` = 'use', -l.`tokens`, 0)
  );
  UPDATE `balances` SET `last_ref` = (
    SELECT l.`ref` FROM `ledger` l WHERE l.`rowid` = (SELECT max(`rowid`) FROM `ledger`)
  )
  WHERE `user_id` = NEW.`user_id` AND `mode` = NEW.`mode`;
END;
--> statement-breakpoint
CREATE TRIGGER `balances_fixed` BEFORE UPDATE OF `user_id`, `mode`, `last_ref` ON `balances`
WHEN NEW.`user_id` IS NOT OLD.`user_id`
  OR NEW.`mode` IS NOT OLD.`mode`
  OR NEW.`last_ref` IS NOT (
    SELECT l.`ref` FROM `ledger` l WHERE l.`rowid` = (SELECT max(`rowid`) FROM `ledger`)
  )
BEGIN
  SELECT RAISE(ABORT, 'the balance follows the ledger');
END;
--> statement-breakpoint
CREATE TRIGGER `balances_kept` BEFORE DELETE ON `balances`
BEGIN
  SELECT RAISE(ABORT, 'a balance cannot be deleted');
END;
--> statement-breakpoint
-- REPLACE deletes without the triggers of DELETE, so no entry may be written a second time at all. Grants and uses
-- are repeated on purpose (ON CONFLICT DO NOTHING): there nothing happens. What else repeats itself is a mistake.
CREATE TRIGGER `ledger_entered_once` BEFORE INSERT ON `ledger`
WHEN EXISTS (SELECT 1 FROM `ledger` l WHERE l.`ref` = NEW.`ref`)
BEGIN
  SELECT CASE
    WHEN NEW.`kind` IN ('grant', 'use') THEN RAISE(IGNORE)
    ELSE RAISE(ABORT, 'a ledger entry is written once')
  END;
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_whole` BEFORE INSERT ON `ledger`
WHEN typeof(NEW.`tokens`) <> 'integer'
BEGIN
  SELECT RAISE(ABORT, 'tokens are whole numbers');
END;
--> statement-breakpoint
CREATE TRIGGER `shortfalls_whole` BEFORE INSERT ON `shortfalls`
WHEN typeof(NEW.`tokens`) <> 'integer'
BEGIN
  SELECT RAISE(ABORT, 'tokens are whole numbers');
END;
--> statement-breakpoint
CREATE TRIGGER `shortfalls_stay_whole` BEFORE UPDATE OF `tokens` ON `shortfalls`
WHEN typeof(NEW.`tokens`) <> 'integer'
BEGIN
  SELECT RAISE(ABORT, 'tokens are whole numbers');
END;
