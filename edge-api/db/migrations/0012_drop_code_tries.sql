-- Wrong codes are counted in `daily_counts`.
-- Safe with the deployed Worker: it has not read or written these since 29 November.
ALTER TABLE `totps` DROP COLUMN `tries`;--> statement-breakpoint
-- Safe with the deployed Worker: not read or written since 29 November.
ALTER TABLE `totps` DROP COLUMN `tries_since`;
