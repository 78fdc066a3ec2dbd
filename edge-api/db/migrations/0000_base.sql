CREATE TABLE `address_corrections` (
	`user_id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`email_verified_at` integer,
	`google_subject` text,
	`corrected_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `address_corrections_at` ON `address_corrections` (`corrected_at`);--> statement-breakpoint
CREATE TABLE `alarms` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`count` integer NOT NULL,
	`fields` text NOT NULL,
	`mailed_at` integer,
	`posted_at` integer,
	`acknowledged_at` integer,
	`acknowledged_by` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alarms_standing` ON `alarms` (`kind`) WHERE "acknowledged_at" IS NULL;--> statement-breakpoint
CREATE INDEX `alarms_by_age` ON `alarms` (`first_seen_at`) WHERE "acknowledged_at" IS NULL;--> statement-breakpoint
CREATE INDEX `alarms_mailed` ON `alarms` (`kind`,`mailed_at`);--> statement-breakpoint
CREATE TABLE `desk_acts` (
	`id` text PRIMARY KEY NOT NULL,
	`operator_id` text NOT NULL,
	`kind` text NOT NULL,
	`user_id` text,
	`subject` text,
	`reason` text NOT NULL,
	`changes` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `desk_acts_user` ON `desk_acts` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `desk_acts_created` ON `desk_acts` (`created_at`);--> statement-breakpoint
CREATE TABLE `answered_challenges` (
	`challenge_hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `answered_challenges_expiry` ON `answered_challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`credential_id` text NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`sign_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential_id_unique` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_user` ON `recovery_codes` (`user_id`);--> statement-breakpoint
CREATE TABLE `totps` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`last_step` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`tries_since` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `saved_answers` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`text` text NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `submission_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`submission_id` text NOT NULL,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`operator_id` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `submission_entries_of` ON `submission_entries` (`submission_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `switches` (
	`name` text PRIMARY KEY NOT NULL,
	`is_on` integer NOT NULL,
	`text` text NOT NULL,
	`until` integer,
	`changed_at` integer NOT NULL,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `credit_notes` (
	`refund_id` text PRIMARY KEY NOT NULL,
	`purchase_id` text NOT NULL,
	`series` text NOT NULL,
	`number` integer NOT NULL,
	`supply` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`cgst_minor` integer NOT NULL,
	`sgst_minor` integer NOT NULL,
	`igst_minor` integer NOT NULL,
	`issued_at` integer NOT NULL,
	FOREIGN KEY (`refund_id`) REFERENCES `refunds_and_disputes`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`purchase_id`) REFERENCES `receipts`(`purchase_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "credit_notes_number" CHECK("credit_notes"."number" >= 1),
	CONSTRAINT "credit_notes_tax" CHECK("credit_notes"."cgst_minor" = "credit_notes"."sgst_minor" AND "credit_notes"."cgst_minor" >= 0 AND "credit_notes"."igst_minor" >= 0
    AND ("credit_notes"."cgst_minor" = 0 OR "credit_notes"."supply" = 'intra_state') AND ("credit_notes"."igst_minor" = 0 OR "credit_notes"."supply" = 'inter_state'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_series` ON `credit_notes` (`series`,`number`);--> statement-breakpoint
CREATE INDEX `credit_notes_purchase` ON `credit_notes` (`purchase_id`);--> statement-breakpoint
CREATE INDEX `credit_notes_issued` ON `credit_notes` (`issued_at`);--> statement-breakpoint
CREATE TABLE `grants` (
	`purchase_id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`user_id` text NOT NULL,
	`tokens` integer NOT NULL,
	`payment_mode` text NOT NULL,
	`granted_at` integer NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `purchases`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `grants_payment_id_unique` ON `grants` (`payment_id`);--> statement-breakpoint
CREATE INDEX `grants_user` ON `grants` (`user_id`,`granted_at`);--> statement-breakpoint
CREATE INDEX `grants_granted` ON `grants` (`granted_at`);--> statement-breakpoint
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
CREATE INDEX `order_keys_purchase` ON `order_keys` (`purchase_id`);--> statement-breakpoint
CREATE TABLE `owed_refunds` (
	`payment_id` text NOT NULL,
	`number` integer DEFAULT 0 NOT NULL,
	`purchase_id` text NOT NULL,
	`reason` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`tokens` integer DEFAULT 0 NOT NULL,
	`refunded_before_minor` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`refund_id` text,
	`done_at` integer,
	PRIMARY KEY(`payment_id`, `number`),
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`purchase_id`) REFERENCES `purchases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `owed_refunds_due` ON `owed_refunds` (`due_at`);--> statement-breakpoint
CREATE INDEX `owed_refunds_purchase` ON `owed_refunds` (`purchase_id`);--> statement-breakpoint
CREATE INDEX `owed_refunds_open` ON `owed_refunds` (`created_at`) WHERE "done_at" IS NULL;--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`purchase_id` text NOT NULL,
	`razorpay_order_id` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`rank` integer NOT NULL,
	`amount_refunded_minor` integer DEFAULT 0 NOT NULL,
	`base_amount_minor` integer,
	`base_currency` text,
	`method` text,
	`error_reason` text,
	`conflict_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `purchases`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payments_rank" CHECK("payments"."rank" BETWEEN 0 AND 3),
	CONSTRAINT "payments_refunded" CHECK("payments"."amount_refunded_minor" >= 0)
);
--> statement-breakpoint
CREATE INDEX `payments_purchase` ON `payments` (`purchase_id`);--> statement-breakpoint
CREATE TABLE `purchase_causes` (
	`id` text PRIMARY KEY NOT NULL,
	`purchase_id` text NOT NULL,
	`cause` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `purchases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `purchase_causes_purchase` ON `purchase_causes` (`purchase_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `purchases` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`sku` text NOT NULL,
	`kind` text NOT NULL,
	`tokens` integer NOT NULL,
	`access_days` integer NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`payment_mode` text NOT NULL,
	`channel` text NOT NULL,
	`billing` text,
	`terms_version` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`status` text DEFAULT 'creating' NOT NULL,
	`razorpay_order_id` text,
	`razorpay_link_id` text,
	`razorpay_link_order_id` text,
	`link_url` text,
	`link_expires_at` integer,
	`proven_at` integer,
	`paid_at` integer,
	`cancelled_at` integer,
	`updated_at` integer NOT NULL,
	`next_check_at` integer,
	`check_count` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "purchases_amount" CHECK("purchases"."amount_minor" >= 100),
	CONSTRAINT "purchases_tokens" CHECK("purchases"."tokens" > 0),
	CONSTRAINT "purchases_currency" CHECK("purchases"."currency" IN ('USD', 'INR')),
	CONSTRAINT "purchases_payment_mode" CHECK("purchases"."payment_mode" IN ('live', 'test', 'emulator')),
	CONSTRAINT "purchases_status" CHECK("purchases"."status" IN ('creating', 'open', 'attempted', 'authorized', 'paid', 'review', 'refunded', 'expired'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `purchases_razorpay_order` ON `purchases` (`razorpay_order_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `purchases_razorpay_link` ON `purchases` (`razorpay_link_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `purchases_razorpay_link_order` ON `purchases` (`razorpay_link_order_id`);--> statement-breakpoint
CREATE INDEX `purchases_user` ON `purchases` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `purchases_user_id` ON `purchases` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `purchases_paid` ON `purchases` (`user_id`,`kind`,`paid_at`);--> statement-breakpoint
CREATE INDEX `purchases_due` ON `purchases` (`next_check_at`);--> statement-breakpoint
CREATE INDEX `purchases_ending` ON `purchases` ("paid_at" + "access_days" * 86400000,`id`);--> statement-breakpoint
CREATE TABLE `receipts` (
	`purchase_id` text PRIMARY KEY NOT NULL,
	`series` text DEFAULT '' NOT NULL,
	`number` integer NOT NULL,
	`supply` text DEFAULT 'untaxed' NOT NULL,
	`tax_rate` integer DEFAULT 0 NOT NULL,
	`cgst_minor` integer DEFAULT 0 NOT NULL,
	`sgst_minor` integer DEFAULT 0 NOT NULL,
	`igst_minor` integer DEFAULT 0 NOT NULL,
	`invoice` text,
	`buyer_name` text NOT NULL,
	`buyer_email` text NOT NULL,
	`seller_name` text NOT NULL,
	`seller_email` text NOT NULL,
	`line` text NOT NULL,
	`issued_at` integer NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `grants`(`purchase_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "receipts_number" CHECK("receipts"."number" >= 1),
	CONSTRAINT "receipts_tax" CHECK("receipts"."cgst_minor" = "receipts"."sgst_minor" AND "receipts"."cgst_minor" >= 0 AND "receipts"."igst_minor" >= 0
    AND ("receipts"."cgst_minor" = 0 OR "receipts"."supply" = 'intra_state') AND ("receipts"."igst_minor" = 0 OR "receipts"."supply" = 'inter_state'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `receipts_series` ON `receipts` (`series`,`number`);--> statement-breakpoint
CREATE INDEX `receipts_issued` ON `receipts` (`issued_at`);--> statement-breakpoint
CREATE TABLE `refunds_and_disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`payment_id` text NOT NULL,
	`amount_minor` integer NOT NULL,
	`currency` text NOT NULL,
	`state` text NOT NULL,
	`phase` text,
	`respond_by` integer,
	`began_at` integer NOT NULL,
	`as_of` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refunds_and_disputes_amount" CHECK("refunds_and_disputes"."amount_minor" >= 0),
	CONSTRAINT "refunds_and_disputes_state" CHECK("refunds_and_disputes"."state" IN ('inquiry', 'open', 'final', 'undone'))
);
--> statement-breakpoint
CREATE INDEX `refunds_and_disputes_payment` ON `refunds_and_disputes` (`payment_id`);--> statement-breakpoint
CREATE INDEX `refunds_and_disputes_state` ON `refunds_and_disputes` (`state`,`updated_at`);--> statement-breakpoint
CREATE INDEX `refunds_and_disputes_began` ON `refunds_and_disputes` (`kind`,`began_at`);--> statement-breakpoint
CREATE TABLE `webhook_events` (
	`event_id` text PRIMARY KEY NOT NULL,
	`event` text NOT NULL,
	`body` text NOT NULL,
	`received_at` integer NOT NULL,
	`processed_at` integer,
	`outcome` text,
	`attempts` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_events_open` ON `webhook_events` (`processed_at`,`received_at`);--> statement-breakpoint
CREATE INDEX `webhook_events_received` ON `webhook_events` (`received_at`);--> statement-breakpoint
CREATE TABLE `account_events` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`kind` text NOT NULL,
	`detail` text DEFAULT '{}' NOT NULL,
	`device` text,
	`ip_prefix` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `account_events_user` ON `account_events` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `account_events_kind` ON `account_events` (`user_id`,`kind`,`created_at`);--> statement-breakpoint
CREATE INDEX `account_events_created` ON `account_events` (`created_at`);--> statement-breakpoint
CREATE TABLE `daily_counts` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`day` integer NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `daily_counts_day` ON `daily_counts` (`day`);--> statement-breakpoint
CREATE TABLE `job_applications` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`job_id` text NOT NULL,
	`full_name` text NOT NULL,
	`email` text NOT NULL,
	`phone` text NOT NULL,
	`linkedin_url` text NOT NULL,
	`github_url` text NOT NULL,
	`resume_url` text NOT NULL,
	`current_location` text NOT NULL,
	`working_country` text NOT NULL,
	`work_authorization` text NOT NULL,
	`remote_preference` text NOT NULL,
	`experience` text NOT NULL,
	`why_join` text NOT NULL,
	`created_at` integer NOT NULL,
	`state` text DEFAULT 'new' NOT NULL,
	`decided_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `job_applications_id_unique` ON `job_applications` (`id`);--> statement-breakpoint
CREATE INDEX `job_applications_email` ON `job_applications` (lower("email"));--> statement-breakpoint
CREATE INDEX `job_applications_state` ON `job_applications` (`state`,`created_at`);--> statement-breakpoint
CREATE INDEX `job_applications_job` ON `job_applications` (`job_id`,`state`,`created_at`);--> statement-breakpoint
CREATE INDEX `job_applications_decided` ON `job_applications` (`decided_at`) WHERE "decided_at" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`kind` text NOT NULL,
	`to_address` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`claimed_until` integer,
	`sent_at` integer,
	`failed_at` integer,
	`last_error` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `mails_due` ON `mails` (`due_at`) WHERE "due_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mails_created` ON `mails` (`created_at`);--> statement-breakpoint
CREATE INDEX `mails_waiting` ON `mails` (`created_at`) WHERE "due_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mails_sent` ON `mails` (`sent_at`);--> statement-breakpoint
CREATE INDEX `mails_user` ON `mails` (`user_id`);--> statement-breakpoint
CREATE TABLE `support_tickets` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`email` text NOT NULL,
	`severity` text NOT NULL,
	`is_feature_request` integer NOT NULL,
	`query` text NOT NULL,
	`created_at` integer NOT NULL,
	`state` text DEFAULT 'new' NOT NULL,
	CONSTRAINT "support_tickets_severity" CHECK("support_tickets"."severity" IN ('low', 'medium', 'high'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `support_tickets_id_unique` ON `support_tickets` (`id`);--> statement-breakpoint
CREATE INDEX `support_tickets_state` ON `support_tickets` (`state`,`created_at`);--> statement-breakpoint
CREATE INDEX `support_tickets_email` ON `support_tickets` (lower("email"));--> statement-breakpoint
CREATE TABLE `device_requests` (
	`device_code_hash` text PRIMARY KEY NOT NULL,
	`user_code` text NOT NULL,
	`client_name` text NOT NULL,
	`user_id` text,
	`session_id` text,
	`decision` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_polled_at` integer,
	`redeemed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "device_requests_decision" CHECK(("device_requests"."decision" = 'pending') OR ("device_requests"."user_id" IS NOT NULL AND "device_requests"."decision" IN ('approved', 'denied')))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_requests_user_code` ON `device_requests` (`user_code`);--> statement-breakpoint
CREATE INDEX `device_requests_expiry` ON `device_requests` (`expires_at`);--> statement-breakpoint
CREATE INDEX `device_requests_user` ON `device_requests` (`user_id`);--> statement-breakpoint
CREATE INDEX `device_requests_session` ON `device_requests` (`session_id`);--> statement-breakpoint
CREATE TABLE `mailed_links` (
	`secret_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`email_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`voided_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "mailed_links_purpose" CHECK("mailed_links"."purpose" IN ('verify', 'reset', 'not_me', 'not_my_factor', 'refund'))
);
--> statement-breakpoint
CREATE INDEX `mailed_links_user` ON `mailed_links` (`user_id`,`purpose`);--> statement-breakpoint
CREATE INDEX `mailed_links_expiry` ON `mailed_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`device` text NOT NULL,
	`ip_prefix` text NOT NULL,
	`is_remembered` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	`confirmed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "sessions_kind" CHECK("sessions"."kind" IN ('browser', 'desktop'))
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`,`ended_at`);--> statement-breakpoint
CREATE INDEX `sessions_device` ON `sessions` (`user_id`,`device`);--> statement-breakpoint
CREATE INDEX `sessions_desktop` ON `sessions` (`user_id`) WHERE "kind" = 'desktop';--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE INDEX `sessions_ended` ON `sessions` (`ended_at`);--> statement-breakpoint
CREATE TABLE `sign_in_passes` (
	`pass_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`purpose` text NOT NULL,
	`is_remembered` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`redeemed_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "sign_in_passes_purpose" CHECK("sign_in_passes"."purpose" IN ('google', 'second_step'))
);
--> statement-breakpoint
CREATE INDEX `sign_in_passes_expiry` ON `sign_in_passes` (`expires_at`);--> statement-breakpoint
CREATE INDEX `sign_in_passes_user` ON `sign_in_passes` (`user_id`);--> statement-breakpoint
CREATE TABLE `balances` (
	`user_id` text NOT NULL,
	`payment_mode` text NOT NULL,
	`total` integer NOT NULL,
	`used` integer NOT NULL,
	`low_notified_total` integer DEFAULT 0 NOT NULL,
	`last_ref` text,
	PRIMARY KEY(`user_id`, `payment_mode`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "balances_used" CHECK("balances"."used" >= 0 AND "balances"."used" <= "balances"."total")
);
--> statement-breakpoint
CREATE TABLE `ledger` (
	`ref` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`tokens` integer NOT NULL,
	`purchase_id` text,
	`usage_session_id` text,
	`usage_mode` text,
	`payment_mode` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`purchase_id`) REFERENCES `purchases`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "ledger_sign" CHECK(("ledger"."kind" IN ('grant', 'trial', 'restoration') AND "ledger"."tokens" > 0) OR ("ledger"."kind" IN ('use', 'reversal') AND "ledger"."tokens" < 0) OR ("ledger"."kind" = 'adjustment' AND "ledger"."tokens" <> 0)),
	CONSTRAINT "ledger_source" CHECK(("ledger"."kind" IN ('use', 'trial', 'adjustment')) = ("ledger"."purchase_id" IS NULL))
);
--> statement-breakpoint
CREATE INDEX `ledger_user` ON `ledger` (`user_id`,`created_at`,`ref`);--> statement-breakpoint
CREATE INDEX `ledger_user_other` ON `ledger` (`user_id`,`created_at`,`ref`) WHERE "kind" <> 'use';--> statement-breakpoint
CREATE INDEX `ledger_purchase` ON `ledger` (`purchase_id`) WHERE "purchase_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `ledger_usage_session` ON `ledger` (`user_id`,`usage_session_id`) WHERE "usage_session_id" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `shortfalls` (
	`purchase_id` text PRIMARY KEY NOT NULL,
	`tokens` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`purchase_id`) REFERENCES `purchases`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "shortfalls_tokens" CHECK("shortfalls"."tokens" >= 0)
);
--> statement-breakpoint
CREATE TABLE `trials` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`granted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage_days` (
	`user_id` text NOT NULL,
	`payment_mode` text NOT NULL,
	`day` integer NOT NULL,
	`tokens` integer NOT NULL,
	PRIMARY KEY(`user_id`, `payment_mode`, `day`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `usage_sessions` (
	`user_id` text NOT NULL,
	`session_id` text NOT NULL,
	`mode` text NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`has_succeeded` integer,
	`seconds_saved` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`user_id`, `session_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "usage_sessions_saved" CHECK("usage_sessions"."seconds_saved" BETWEEN 0 AND 86400)
);
--> statement-breakpoint
CREATE TABLE `usage_totals` (
	`user_id` text PRIMARY KEY NOT NULL,
	`completed` integer NOT NULL,
	`rated` integer NOT NULL,
	`succeeded` integer NOT NULL,
	`seconds_saved` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`password_hash` text NOT NULL,
	`is_password_proven` integer DEFAULT false NOT NULL,
	`first_name` text,
	`last_name` text,
	`phone` text,
	`bio` text,
	`theme` text DEFAULT 'system' NOT NULL,
	`currency` text DEFAULT 'USD' NOT NULL,
	`mail_reminders` integer DEFAULT true NOT NULL,
	`billing` text,
	`google_subject` text,
	`terms_version` text NOT NULL,
	`terms_accepted_at` integer NOT NULL,
	`terms_told_version` text NOT NULL,
	`terms_told_at` integer NOT NULL,
	`email_verified_at` integer,
	`notices_read_at` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`suspended_at` integer,
	CONSTRAINT "users_currency" CHECK("users"."currency" IN ('USD', 'INR')),
	CONSTRAINT "users_theme" CHECK("users"."theme" IN ('system', 'light', 'dark'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_key` ON `users` (`username_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key` ON `users` (`email_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_google_subject` ON `users` (`google_subject`);--> statement-breakpoint
CREATE INDEX `users_terms_told` ON `users` (`terms_told_version`);