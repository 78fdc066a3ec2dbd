-- Rows that only earlier versions wrote become such as today's code writes, so that the core need not know them: amounts that an
-- admin gave (`goodwill`), money that a request knew from Razorpay's sum alone ('' in `before`), purchases without an order (`creating`).
CREATE TABLE `refunds_under_way` (
  `payment_id` text,
  CONSTRAINT "an old refund is still under way: see 'an old refund' in docs/runbook.md" CHECK (`payment_id` IS NULL)
);
--> statement-breakpoint
-- Fails unless all refunds are known and over where a row below is deleted, or was counted by Razorpay's sum alone ('').
-- With `+kind` SQLite reads the refunds of one payment, and not those of all.
INSERT INTO `refunds_under_way`
SELECT o.`payment_id` FROM `owed_refunds` o JOIN `payments` m ON m.`id` = o.`payment_id`
WHERE (o.`reason` = 'goodwill' OR o.`before` LIKE '%""%')
  AND (
    EXISTS (SELECT 1 FROM `owed_refunds` p WHERE p.`payment_id` = m.`id` AND p.`done_at` IS NULL)
    OR EXISTS (
      SELECT 1 FROM `refunds_and_disputes` t WHERE t.`payment_id` = m.`id` AND +t.`kind` = 'refund' AND t.`state` = 'open'
    )
    OR m.`amount_refunded_minor` > (
      SELECT coalesce(sum(t.`amount_minor`), 0) FROM `refunds_and_disputes` t
      WHERE t.`payment_id` = m.`id` AND +t.`kind` = 'refund'
    )
  );
--> statement-breakpoint
-- Safe with the deployed Worker: it was made above, and is empty.
DROP TABLE `refunds_under_way`;
--> statement-breakpoint
-- Safe with the deployed Worker: it takes a refund of `refund_id` for one that it sent, whatever its key.
UPDATE `refunds_and_disputes` SET `reason` = o.`id`
FROM `owed_refunds` o WHERE o.`refund_id` = `refunds_and_disputes`.`id` AND `refunds_and_disputes`.`reason` IS NULL;
--> statement-breakpoint
-- A refund made by hand of what an admin gave after a dispute was lost: without the row below, only its key says that it is not
-- the report of that loss (core/reported-twice.ts).
-- Safe with the deployed Worker: it compares a key with those of its pending refunds, and this one's is deleted below.
UPDATE `refunds_and_disputes` SET `reason` = o.`id`
FROM `owed_refunds` o
WHERE o.`payment_id` = `refunds_and_disputes`.`payment_id` AND o.`reason` = 'goodwill'
  AND `refunds_and_disputes`.`kind` = 'refund' AND `refunds_and_disputes`.`reason` IS NULL
  AND o.`amount_minor` = `refunds_and_disputes`.`amount_minor`
  AND `refunds_and_disputes`.`began_at` + 60000 >= o.`created_at`
  AND EXISTS (
    SELECT 1 FROM json_each(o.`before`) b JOIN `refunds_and_disputes` t ON t.`id` = b.`value` AND +t.`kind` = 'dispute'
  );
--> statement-breakpoint
-- A requested refund is not paid by what went back for the rows below, nor by what Razorpay's sum had when it was requested: those
-- that began before it, and were not sent for it.
-- Safe with the deployed Worker: it reads these ids in the same way, and writes them only with a new row.
UPDATE `owed_refunds` SET `before` = (
  SELECT json_group_array(`id`) FROM (
    SELECT b.`value` AS `id` FROM json_each(`owed_refunds`.`before`) b WHERE b.`value` <> ''
    UNION
    SELECT t.`id` FROM `refunds_and_disputes` t
    WHERE t.`payment_id` = `owed_refunds`.`payment_id` AND (
      t.`reason` LIKE 'goodwill-%'
      OR (
        `owed_refunds`.`before` LIKE '%""%'
        AND t.`id` IS NOT `owed_refunds`.`refund_id` AND t.`began_at` <= `owed_refunds`.`created_at` + 60000
      )
    )
  )
)
WHERE `reason` = 'asked_for' AND (
  `before` LIKE '%""%'
  OR EXISTS (SELECT 1 FROM `owed_refunds` g WHERE g.`payment_id` = `owed_refunds`.`payment_id` AND g.`reason` = 'goodwill')
);
--> statement-breakpoint
-- What an admin gave is a refund like one that was made in Razorpay's dashboard, which is how other amounts are given today. It
-- stays, as do its credit note and the entry of the admin.
-- Safe with the deployed Worker: a payment without such rows is one of which nothing was given, and money that went back takes its tokens.
DELETE FROM `owed_refunds` WHERE `reason` = 'goodwill';
--> statement-breakpoint
-- Safe with the deployed Worker: the next statement makes it again.
DROP INDEX `owed_refunds_once`;
--> statement-breakpoint
-- Safe with the deployed Worker: it gives nothing as goodwill, and of other reasons a payment had one row before.
CREATE UNIQUE INDEX `owed_refunds_once` ON `owed_refunds` (`payment_id`);
--> statement-breakpoint
-- Safe with the deployed Worker: the next statement makes it again.
DROP TRIGGER `owed_within_payment`;
--> statement-breakpoint
-- Safe with the deployed Worker: it is the trigger above, without the other rows of the payment, of which there are none.
CREATE TRIGGER `owed_within_payment` BEFORE INSERT ON `owed_refunds`
WHEN NEW.`amount_minor` NOT BETWEEN 0 AND coalesce(
  (SELECT m.`amount_minor` FROM `payments` m WHERE m.`id` = NEW.`payment_id` AND m.`rank` = 3), -1
)
BEGIN
  SELECT RAISE(ABORT, 'no more is owed back than was paid');
END;
--> statement-breakpoint
-- They were stored before their orders. Whoever orders the same again gets one with an order; if nobody does, they expire.
-- Safe with the deployed Worker: it asks for the order of an open purchase that has none, and lets it expire in the same way.
UPDATE `purchases` SET `status` = 'open' WHERE `status` = 'creating';
