-- Safe with the deployed Worker: until the next one is uploaded, its alarms stand in the log alone.
DROP INDEX `alarms_standing`;
--> statement-breakpoint
ALTER TABLE `alarms` ADD `subject` text DEFAULT '' NOT NULL;
--> statement-breakpoint
-- Safe with the deployed Worker: its alarms have no subject, so each kind of them stands once as before.
CREATE UNIQUE INDEX `alarms_standing` ON `alarms` (`kind`,`subject`) WHERE "acknowledged_at" IS NULL;
