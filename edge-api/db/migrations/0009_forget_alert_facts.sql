-- Safe with the deployed Worker: it changes no acknowledged alarm. The next one empties the facts of old ones.
DROP TRIGGER `alarms_fixed`;
--> statement-breakpoint
-- Safe with the deployed Worker: it changes no acknowledged alarm. An alarm grows until it is acknowledged; after that only its
-- facts may be emptied.
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
