-- Safe with the deployed Worker: it neither reads nor writes these columns.
ALTER TABLE `mailed_links` ADD `had_second_step` integer DEFAULT true NOT NULL;
--> statement-breakpoint
ALTER TABLE `users` ADD `locked_at` integer;
