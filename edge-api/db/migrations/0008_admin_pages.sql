CREATE INDEX `job_applications_open` ON `job_applications` (`number`) WHERE "decided_at" IS NULL;--> statement-breakpoint
CREATE INDEX `mails_failed` ON `mails` (`failed_at`) WHERE "failed_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `support_tickets_open` ON `support_tickets` (`number`) WHERE "state" <> 'closed';