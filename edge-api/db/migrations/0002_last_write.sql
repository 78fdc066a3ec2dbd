CREATE TABLE `last_write` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
