-- Triggers that only refused what the statements' own conditions refuse. edge-api/db/guards.test.ts says what those that stay
-- protect.
-- Safe with the deployed Worker: it deletes no purchase.
DROP TRIGGER `purchases_kept`;
--> statement-breakpoint
-- Safe with the deployed Worker: projectStatus says paid only where it finds the grant.
DROP TRIGGER `purchases_paid_backed`;
--> statement-breakpoint
-- Safe with the deployed Worker: both statements that insert purchases write the status creating and no time of payment.
DROP TRIGGER `purchases_begin_unpaid`;
--> statement-breakpoint
-- Safe with the deployed Worker: bindOrder and bindLinkOrder ask whether the order is free, and an order that was just made is new; three unique indexes stay.
DROP TRIGGER `purchases_own_order`;
--> statement-breakpoint
-- Safe with the deployed Worker: a new purchase has no order, and the unique indexes stay.
DROP TRIGGER `purchases_begin_with_own_order`;
--> statement-breakpoint
-- Safe with the deployed Worker: projectStatus reads the time from the grant.
DROP TRIGGER `purchases_paid_when_granted`;
--> statement-breakpoint
-- Safe with the deployed Worker: projectStatus computes the status from payments and grants in the same statement.
DROP TRIGGER `purchases_status_backed`;
--> statement-breakpoint
-- Safe with the deployed Worker: storePayments takes the greater of both values, and writes no other column of a known payment.
DROP TRIGGER `payments_forward`;
--> statement-breakpoint
-- Safe with the deployed Worker: it deletes no payment.
DROP TRIGGER `payments_kept`;
--> statement-breakpoint
-- Safe with the deployed Worker: it updates no grant.
DROP TRIGGER `grants_fixed`;
--> statement-breakpoint
-- Safe with the deployed Worker: it deletes no grant.
DROP TRIGGER `grants_kept`;
--> statement-breakpoint
-- Safe with the deployed Worker: issueReceipt counts on from document_series, under the write lock.
DROP TRIGGER `receipts_gapless`;
--> statement-breakpoint
-- Safe with the deployed Worker: issueCreditNotes counts on from document_series, under the write lock.
DROP TRIGGER `credit_notes_gapless`;
--> statement-breakpoint
-- Safe with the deployed Worker: cancelCreditNotes copies the note of a refund that is undone.
DROP TRIGGER `credit_notes_cancelled`;
--> statement-breakpoint
-- Safe with the deployed Worker: only the triggers of receipts and credit notes write it.
DROP TRIGGER `document_series_forward`;
--> statement-breakpoint
-- Safe with the deployed Worker: it deletes no series.
DROP TRIGGER `document_series_kept`;
--> statement-breakpoint
-- Safe with the deployed Worker: enterGrant copies the grant.
DROP TRIGGER `ledger_granted`;
--> statement-breakpoint
-- Safe with the deployed Worker: trialStatements asks for the proven address in the same statement.
DROP TRIGGER `ledger_tried`;
--> statement-breakpoint
-- Safe with the deployed Worker: planAdjustTokens enters tokens where its act is written.
DROP TRIGGER `ledger_adjusted`;
--> statement-breakpoint
-- Safe with the deployed Worker: enterUses, reverseTokens and planAdjustTokens compare with what is left, and a CHECK stays.
DROP TRIGGER `ledger_covered`;
--> statement-breakpoint
-- Safe with the deployed Worker: reverseTokens takes what is due less what was reversed, of what is left.
DROP TRIGGER `ledger_reversed_within_grant`;
--> statement-breakpoint
-- Safe with the deployed Worker: only triggers of the ledger insert lots.
DROP TRIGGER `lots_begun`;
--> statement-breakpoint
-- Safe with the deployed Worker: only triggers of the ledger change lots, and a CHECK stays.
DROP TRIGGER `lots_moved`;
--> statement-breakpoint
-- Safe with the deployed Worker: none of its statements deletes a lot.
DROP TRIGGER `lots_kept`;
--> statement-breakpoint
-- Safe with the deployed Worker: storeRefundsAndDisputes writes only what moves forward.
DROP TRIGGER `refunds_and_disputes_forward`;
--> statement-breakpoint
-- Safe with the deployed Worker: it deletes no refund and no dispute.
DROP TRIGGER `refunds_and_disputes_kept`;
--> statement-breakpoint
-- Safe with the deployed Worker: only triggers write these two columns.
DROP TRIGGER `refunds_and_disputes_order`;
--> statement-breakpoint
-- Safe with the deployed Worker: it updates only the state of a debt.
DROP TRIGGER `owed_refunds_fixed`;
--> statement-breakpoint
-- Safe with the deployed Worker: none of its statements deletes a debt.
DROP TRIGGER `owed_refunds_kept`;
--> statement-breakpoint
-- Safe with the deployed Worker: oweRefunds takes captured money without a grant, whole.
DROP TRIGGER `owed_refunds_backed`;
--> statement-breakpoint
-- Safe with the deployed Worker: oweAskedRefund takes amount and tokens from refundAccount in the same statement.
DROP TRIGGER `owed_refunds_asked_for`;
--> statement-breakpoint
-- Safe with the deployed Worker: the statements count on from the greatest number.
DROP TRIGGER `owed_refunds_numbered`;
--> statement-breakpoint
-- Safe with the deployed Worker: oweGoodwillRefund compares with what is left of the payment in the same statement.
DROP TRIGGER `owed_refunds_goodwill`;
--> statement-breakpoint
-- Safe with the deployed Worker: only triggers of the ledger insert balances.
DROP TRIGGER `balances_begun`;
--> statement-breakpoint
-- Safe with the deployed Worker: only triggers of the ledger change the sums, and a CHECK stays.
DROP TRIGGER `balances_moved`;
--> statement-breakpoint
-- Safe with the deployed Worker: it updates low_notified_total alone.
DROP TRIGGER `balances_fixed`;
--> statement-breakpoint
-- Safe with the deployed Worker: it deletes no balance.
DROP TRIGGER `balances_kept`;
--> statement-breakpoint
-- Safe with the deployed Worker: storeShortfall writes what is due and was not there to take.
DROP TRIGGER `shortfalls_begun`;
--> statement-breakpoint
-- Safe with the deployed Worker: storeShortfall writes what is due and was not there to take.
DROP TRIGGER `shortfalls_grown`;
--> statement-breakpoint
-- Safe with the deployed Worker: none of its statements updates a key.
DROP TRIGGER `order_keys_fixed`;
--> statement-breakpoint
-- Safe with the deployed Worker: the trigger below refuses the same.
DROP TRIGGER `grants_not_owed`;
--> statement-breakpoint
-- Safe with the deployed Worker: the trigger below refuses the same.
DROP TRIGGER `grants_backed`;
--> statement-breakpoint
-- No tokens without captured money that matches the purchase and is not owed back, and only to the purchase's owner.
-- Safe with the deployed Worker: it is the two triggers above in one.
CREATE TRIGGER `grants_backed` BEFORE INSERT ON `grants`
WHEN NOT EXISTS (
  SELECT 1
  FROM `purchases` p
  JOIN `payments` m ON m.`purchase_id` = p.`id`
  WHERE p.`id` = NEW.`purchase_id`
    AND m.`id` = NEW.`payment_id`
    AND m.`rank` = 3
    AND m.`amount_minor` = p.`amount_minor`
    AND m.`currency` = p.`currency`
    AND m.`razorpay_order_id` IN (p.`razorpay_order_id`, p.`razorpay_link_order_id`)
    AND p.`user_id` = NEW.`user_id`
    AND p.`tokens` = NEW.`tokens`
    AND p.`payment_mode` = NEW.`payment_mode`
    AND NOT EXISTS (SELECT 1 FROM `owed_refunds` o WHERE o.`payment_id` = m.`id`)
)
BEGIN
  SELECT RAISE(ABORT, 'a grant needs a matching captured payment that is not owed back');
END;
--> statement-breakpoint
-- What is owed back of a payment is never more than was captured.
-- Safe with the deployed Worker: its own conditions refuse the same.
CREATE TRIGGER `owed_within_payment` BEFORE INSERT ON `owed_refunds`
WHEN NEW.`amount_minor` NOT BETWEEN 0 AND coalesce((
  SELECT m.`amount_minor` - (SELECT coalesce(sum(o.`amount_minor`), 0) FROM `owed_refunds` o WHERE o.`payment_id` = m.`id`)
  FROM `payments` m WHERE m.`id` = NEW.`payment_id` AND m.`rank` = 3
), -1)
BEGIN
  SELECT RAISE(ABORT, 'no more is owed back than was paid');
END;
