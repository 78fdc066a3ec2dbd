CREATE TABLE `order_keys` (
	`user_id` text NOT NULL,
	`key` text NOT NULL,
	`purchase_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `key`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`purchase_id`) REFERENCES `purchases`(`id`) ON UPDATE no action ON DELETE no action
);

--> statement-breakpoint
INSERT INTO `order_keys` (`user_id`, `key`, `purchase_id`, `created_at`)
SELECT `user_id`, `idempotency_key`, `id`, `created_at` FROM `purchases`;
--> statement-breakpoint
CREATE TRIGGER `order_keys_fixed` BEFORE UPDATE ON `order_keys`
BEGIN
  SELECT RAISE(ABORT, 'a key names one purchase');
END;
