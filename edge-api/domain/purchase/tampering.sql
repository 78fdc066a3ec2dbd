/* What an attacker with the database token could change with the guards off. tampering.night.test.ts makes each change, with
   the ids of its shop in place of :kept.purchase and the like; docs/tampering.md says what detects it. Where nothing does, the
   second line says why: it harms nobody, or nothing else in the database or at Razorpay knows how it was. */

-- The tokens of a refunded purchase are put back by a plain INSERT
INSERT INTO ledger (ref, user_id, kind, tokens, purchase_id, payment_mode, created_at)
  VALUES ('restoration:x', :returned.user, 'restoration', 1000000, :returned.purchase, 'emulator', 1);
-- A refund that was asked for is marked as done
UPDATE owed_refunds SET done_at = 1, due_at = NULL WHERE payment_id = :asked.payment;
-- A refund that went back is set to undone
UPDATE refunds_and_disputes SET state = 'undone' WHERE payment_id = :returned.payment;
-- The last credit note is deleted
DELETE FROM credit_notes WHERE number = (SELECT max(number) FROM credit_notes);
-- The tax of a receipt is changed
UPDATE receipts SET cgst_minor = 1, sgst_minor = 1 WHERE purchase_id = :kept.purchase;
-- The tax rate of a receipt is lowered, and its tax with it
UPDATE receipts SET tax_rate = 500, igst_minor = 14281 WHERE purchase_id = :sent.purchase;
UPDATE credit_notes SET igst_minor = 10711 WHERE purchase_id = :sent.purchase;
-- A receipt becomes an export without tax
UPDATE receipts SET supply = 'export', tax_rate = 0, igst_minor = 0 WHERE purchase_id = :sent.purchase;
-- A tax invoice becomes a receipt of a seller who charges no tax
UPDATE receipts SET supply = 'untaxed', tax_rate = 0, cgst_minor = 0, sgst_minor = 0, invoice = NULL
  WHERE purchase_id = :kept.purchase;
-- The tax of a credit note is changed
UPDATE credit_notes SET igst_minor = 0 WHERE purchase_id = :sent.purchase;
-- A credit note becomes one within the state
UPDATE credit_notes SET supply = 'intra_state', cgst_minor = igst_minor / 2, sgst_minor = igst_minor / 2, igst_minor = 0
  WHERE purchase_id = :sent.purchase;
-- The amount of a credit note is changed
UPDATE credit_notes SET amount_minor = 100 WHERE purchase_id = :returned.purchase;
-- A cancellation of a credit note is made up
INSERT INTO credit_notes SELECT refund_id, true, purchase_id, series, (SELECT 1 + max(number) FROM credit_notes), supply,
  -amount_minor, -cgst_minor, -sgst_minor, -igst_minor, 1 FROM credit_notes WHERE purchase_id = :returned.purchase;
-- The last receipt is deleted, and the highest number set back
DELETE FROM receipts WHERE number = (SELECT max(number) FROM receipts);
UPDATE document_series SET highest = highest - 1 WHERE document = 'receipt';
-- A sale is deleted, with its tokens and its receipt, as if it had never been
DELETE FROM credit_notes WHERE purchase_id = :inPart.purchase;
DELETE FROM receipts WHERE purchase_id = :inPart.purchase;
DELETE FROM lots WHERE user_id = :inPart.user;
DELETE FROM ledger WHERE user_id = :inPart.user;
DELETE FROM balances WHERE user_id = :inPart.user;
DELETE FROM grants WHERE purchase_id = :inPart.purchase;
DELETE FROM refunds_and_disputes WHERE payment_id = :inPart.payment;
DELETE FROM payments WHERE purchase_id = :inPart.purchase;
DELETE FROM purchase_causes WHERE purchase_id = :inPart.purchase;
DELETE FROM order_keys WHERE purchase_id = :inPart.purchase;
DELETE FROM purchases WHERE id = :inPart.purchase;
-- A balance is raised
UPDATE balances SET total = total + 5000000 WHERE user_id = :kept.user;
-- A use of tokens goes to another account
UPDATE ledger SET user_id = :disputed.user WHERE user_id = :kept.user AND kind = 'use';
-- Tokens of a gift become tokens of a purchase, which can be refunded
UPDATE lots SET left = left + 5000 WHERE purchase_id = :kept.purchase;
UPDATE lots SET left = left - 5000 WHERE user_id = :kept.user AND ref LIKE 'adjustment:%';
-- Tokens by hand are entered without the act of an operator
INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
  VALUES ('adjustment:act_none', :kept.user, 'adjustment', 900000, 'emulator', 1);
UPDATE balances SET total = total + 900000 WHERE user_id = :kept.user;
-- A second trial is entered
INSERT INTO ledger (ref, user_id, kind, tokens, payment_mode, created_at)
  VALUES ('trial:again', :kept.user, 'trial', 20000, 'emulator', 1);
UPDATE balances SET total = total + 20000 WHERE user_id = :kept.user;
-- The record of who had a trial is deleted
DELETE FROM trials;
-- A grant gives ten times as many tokens, and its entry and the balance too
UPDATE grants SET tokens = 10 * tokens WHERE purchase_id = :kept.purchase;
UPDATE ledger SET tokens = 10 * tokens WHERE ref = 'grant:' || :kept.purchase;
UPDATE balances SET total = (SELECT sum(tokens) FROM ledger WHERE user_id = :kept.user AND kind <> 'use') WHERE user_id = :kept.user;
-- A grant goes to another account
UPDATE grants SET user_id = :kept.user WHERE purchase_id = :disputed.purchase;
-- Two grants swap their payments
UPDATE grants SET payment_id = 'none' WHERE purchase_id = :returned.purchase;
UPDATE grants SET payment_id = :returned.payment WHERE purchase_id = :disputed.purchase;
UPDATE grants SET payment_id = :disputed.payment WHERE purchase_id = :returned.purchase;
-- Two purchases swap their orders and payments, so that a refund of one goes to the card of the other
UPDATE purchases SET razorpay_order_id = NULL WHERE id = :asked.purchase;
UPDATE purchases SET razorpay_order_id = (SELECT razorpay_order_id FROM payments WHERE id = :asked.payment)
  WHERE id = :kept.purchase;
UPDATE purchases SET razorpay_order_id = (SELECT razorpay_order_id FROM payments WHERE id = :kept.payment)
  WHERE id = :asked.purchase;
UPDATE payments SET purchase_id = :kept.purchase WHERE id = :asked.payment;
UPDATE payments SET purchase_id = :asked.purchase WHERE id = :kept.payment;
UPDATE grants SET payment_id = 'none' WHERE purchase_id = :asked.purchase;
UPDATE grants SET payment_id = :asked.payment WHERE purchase_id = :kept.purchase;
UPDATE grants SET payment_id = :kept.payment WHERE purchase_id = :asked.purchase;
UPDATE owed_refunds SET payment_id = :kept.payment WHERE payment_id = :asked.payment;
-- The price of a purchase and its payment is raised, so that more can be refunded
UPDATE purchases SET amount_minor = 250000 WHERE id = :disputed.purchase;
UPDATE payments SET amount_minor = 250000 WHERE id = :disputed.payment;
-- A purchase and its payment in rupees become one in dollars
UPDATE purchases SET currency = 'USD' WHERE id = :kept.purchase;
UPDATE payments SET currency = 'USD' WHERE id = :kept.payment;
-- A payment in dollars was worth ten times as many rupees, so that a dispute in rupees takes less
UPDATE payments SET base_amount_minor = 10 * base_amount_minor WHERE id = :disputed.payment;
-- A refund becomes larger than it was
UPDATE refunds_and_disputes SET amount_minor = 2 * amount_minor WHERE payment_id = :inPart.payment;
-- A refund that was asked for and sent is open again, so that it would be sent twice
UPDATE owed_refunds SET done_at = NULL, due_at = 1 WHERE payment_id = :sent.payment;
-- More went back before a refund was asked for, so that what is sent would not count and be sent again
UPDATE owed_refunds SET refunded_before_minor = 100000 WHERE payment_id = :asked.payment;
-- More is to be refunded than the tokens were worth
UPDATE owed_refunds SET amount_minor = 299900 WHERE payment_id = :asked.payment;
-- A refund that was asked for is dated years ahead, when the desk will show it and the job send it
UPDATE owed_refunds SET created_at = created_at + 99000000000, due_at = due_at + 99000000000 WHERE payment_id = :asked.payment;
-- A refund that was asked for becomes one of extra money
UPDATE owed_refunds SET reason = 'excess' WHERE payment_id = :asked.payment;
-- The refund of a payment is sent to the buyer of another
UPDATE owed_refunds SET payment_id = :kept.payment WHERE payment_id = :asked.payment;
-- Money that matches no purchase is no longer owed back
DELETE FROM owed_refunds WHERE purchase_id = :odd.purchase;
-- Money that matches no purchase is owed back in years to come
UPDATE owed_refunds SET created_at = created_at + 99000000000 WHERE purchase_id = :odd.purchase;
-- A refunded plan is set to paid
UPDATE purchases SET status = 'paid' WHERE id = :sent.purchase;
-- A plan is made to begin later, so that it ends later
UPDATE purchases SET paid_at = paid_at + 9000000000 WHERE id = :kept.purchase;
-- A use of tokens is made smaller, in its day and in the balance too
UPDATE ledger SET tokens = -1 WHERE user_id = :kept.user AND kind = 'use';
UPDATE balances SET used = 1 WHERE user_id = :kept.user;
UPDATE usage_days SET tokens = 1 WHERE user_id = :kept.user;
-- The usage of a day is lowered
UPDATE usage_days SET tokens = 1 WHERE user_id = :kept.user;
-- A session of the app saved more time than it did
UPDATE usage_sessions SET seconds_saved = 86400 WHERE user_id = :kept.user;
-- A balance is deleted
DELETE FROM balances WHERE user_id = :kept.user;
-- What is left of a purchase is deleted
DELETE FROM lots WHERE purchase_id = :sent.purchase;
-- A grant is dated later, so that it can be refunded for longer
UPDATE grants SET granted_at = granted_at + 9000000000 WHERE purchase_id = :kept.purchase;
UPDATE purchases SET paid_at = paid_at + 9000000000 WHERE id = :kept.purchase;
-- A grant, its entry, its receipt and its purchase are all dated later
UPDATE grants SET granted_at = granted_at + 8640000000 WHERE purchase_id = :kept.purchase;
UPDATE ledger SET created_at = created_at + 8640000000 WHERE ref = 'grant:' || :kept.purchase;
UPDATE receipts SET issued_at = issued_at + 8640000000 WHERE purchase_id = :kept.purchase;
UPDATE purchases SET paid_at = paid_at + 8640000000 WHERE id = :kept.purchase;
-- A grant is deleted, and its tokens stay
DELETE FROM grants WHERE purchase_id = :disputed.purchase;
-- A gift becomes ten times as large, in the balance and what is left of it too
UPDATE ledger SET tokens = 50000 WHERE user_id = :kept.user AND kind = 'adjustment';
UPDATE lots SET tokens = 50000, left = 50000 WHERE user_id = :kept.user AND ref LIKE 'adjustment:%';
UPDATE balances SET total = total + 45000 WHERE user_id = :kept.user;
-- A plan has more days, which no operator gave
UPDATE purchases SET extra_days = 365 WHERE id = :kept.purchase;
-- A plan is sold for more days than it was
UPDATE purchases SET access_days = 730 WHERE id = :kept.purchase;
-- A purchase that nobody paid yet goes to another account
UPDATE purchases SET user_id = :kept.user WHERE id = :unpaid.purchase;
-- A purchase of the emulator becomes a live one
UPDATE purchases SET payment_mode = 'live' WHERE id = :kept.purchase;
-- A captured payment is set back to uncaptured
UPDATE payments SET rank = 2 WHERE id = :kept.payment;
-- All of a payment is said to have gone back
UPDATE payments SET amount_refunded_minor = amount_minor WHERE id = :kept.payment;
-- A refund becomes that of another payment
UPDATE refunds_and_disputes SET payment_id = :kept.payment WHERE payment_id = :inPart.payment;
-- A refund becomes one of another currency
UPDATE refunds_and_disputes SET currency = 'INR' WHERE payment_id = :returned.payment;
-- A dispute is deleted
DELETE FROM refunds_and_disputes WHERE payment_id = :disputed.payment;
-- The day by which a dispute has to be answered is deleted
UPDATE refunds_and_disputes SET respond_by = NULL WHERE payment_id = :disputed.payment;
-- The record of which numbers were given is deleted
DELETE FROM document_series;
-- Two credit notes swap their refunds
UPDATE credit_notes SET refund_id = 'none' WHERE purchase_id = :returned.purchase;
UPDATE credit_notes SET refund_id = (SELECT id FROM refunds_and_disputes WHERE payment_id = :returned.payment)
  WHERE purchase_id = :inPart.purchase;
UPDATE credit_notes SET refund_id = (SELECT id FROM refunds_and_disputes WHERE payment_id = :inPart.payment)
  WHERE purchase_id = :returned.purchase;
-- Two receipts change places
UPDATE receipts SET number = number + 1000 WHERE purchase_id IN (:kept.purchase, :sent.purchase);
UPDATE receipts SET number = (SELECT r.number - 1000 FROM receipts r WHERE r.purchase_id = :sent.purchase)
  WHERE purchase_id = :kept.purchase;
UPDATE receipts SET number = 1 WHERE purchase_id = :sent.purchase;
-- A receipt is dated earlier
UPDATE receipts SET issued_at = issued_at - 3456000000 WHERE purchase_id = :sent.purchase;
-- A credit note is dated later
UPDATE credit_notes SET issued_at = issued_at + 3456000000 WHERE purchase_id = :sent.purchase;
-- An invoice gets the GSTIN of another company
UPDATE receipts SET invoice = json_set(invoice, '$.buyerGstin', '29AAGCB7383J1Z4') WHERE purchase_id = :kept.purchase;
-- An invoice names another place of supply
UPDATE receipts SET invoice = json_set(invoice, '$.placeOfSupply', '07 Delhi') WHERE purchase_id = :sent.purchase;
-- A refund that went back becomes a dispute that was lost
UPDATE refunds_and_disputes SET kind = 'dispute' WHERE payment_id = :returned.payment;
-- What is owed back is never due
UPDATE owed_refunds SET due_at = NULL WHERE payment_id = :asked.payment;
-- What was sent for a debt is another refund
UPDATE owed_refunds SET refund_id = 'rfnd_EMUother000000' WHERE payment_id = :sent.payment;
-- Money is given back by hand, and by nobody
INSERT INTO owed_refunds (payment_id, number, purchase_id, reason, amount_minor, created_at, due_at)
  VALUES (:kept.payment, 1, :kept.purchase, 'goodwill', 10000, 1, 1);
-- Some of what went back before a refund was asked for is said to be lost in a dispute
UPDATE owed_refunds SET lost_before_minor = 1000 WHERE payment_id = :asked.payment;
-- An invoice between states becomes one of an export, and its credit note too
UPDATE receipts SET supply = 'export', tax_rate = 0, igst_minor = 0, invoice = json_set(invoice, '$.note', 'Export')
  WHERE purchase_id = :sent.purchase;
UPDATE credit_notes SET supply = 'export', igst_minor = 0 WHERE purchase_id = :sent.purchase;
-- A plan that an operator extended once is extended further
UPDATE purchases SET extra_days = 3650 WHERE id = :inPart.purchase;
-- A plan becomes a token pack
UPDATE purchases SET kind = 'token_pack' WHERE id = :kept.purchase;
-- A purchase that brought nothing is made to bring a hundred times as many tokens
UPDATE purchases SET tokens = 100000000 WHERE id = :odd.purchase;
-- A purchase is of something that is not sold
UPDATE purchases SET sku = 'gone' WHERE id = :unpaid.purchase;
-- What is owed back of a payment becomes the debt of another purchase
UPDATE owed_refunds SET purchase_id = :kept.purchase WHERE purchase_id = :odd.purchase;
-- All receipts become those of the year before
UPDATE receipts SET series = '25-26';
UPDATE document_series SET series = '25-26' WHERE document = 'receipt';

-- Tax moves from one credit note of a purchase to another
UPDATE credit_notes SET igst_minor = igst_minor + iif(amount_minor = 100000, 500, -500) WHERE purchase_id = :twice.purchase;
-- An invoice names another seller's GSTIN
UPDATE receipts SET invoice = json_set(invoice, '$.sellerGstin', '29AAAAA0000A1Z5') WHERE purchase_id = :sent.purchase;
-- The invoice of an export loses its letter of undertaking
UPDATE receipts SET invoice = json_set(invoice, '$.note', 'Export.') WHERE purchase_id = :inPart.purchase;
-- A receipt names another item
UPDATE receipts SET line = 'Sotto Max, 365 days, 1,000,000 tokens' WHERE purchase_id = :kept.purchase;
-- A payment in dollars was worth dollars, so that a dispute in rupees takes nothing
UPDATE payments SET base_currency = 'USD' WHERE id = :disputed.payment;
-- A payment began before its order
UPDATE payments SET began_at = 1 WHERE id = :kept.payment;
-- A payment began later, when its order was too old to be paid
UPDATE payments SET began_at = began_at + 99000000000 WHERE id = :kept.payment;
-- A refund began before its payment, so that it would not count for a dispute
UPDATE refunds_and_disputes SET began_at = 1 WHERE payment_id = :returned.payment;
-- A payment moves to the order of another purchase
UPDATE payments SET razorpay_order_id = (SELECT razorpay_order_id FROM purchases WHERE id = :unpaid.purchase)
  WHERE purchase_id = :odd.purchase;
-- An unpaid purchase is dated later, so that its price holds for longer
UPDATE purchases SET created_at = created_at + 8640000000 WHERE id = :unpaid.purchase;
UPDATE order_keys SET created_at = created_at + 8640000000 WHERE purchase_id = :unpaid.purchase;
-- An unpaid purchase goes to another account, and the key of its order is deleted
UPDATE purchases SET user_id = :kept.user WHERE id = :unpaid.purchase;
DELETE FROM order_keys WHERE purchase_id = :unpaid.purchase;
-- A payment link leads to somebody else
UPDATE purchases SET link_url = 'https://pay.example/l/1' WHERE id = :linked.purchase;
-- A plan has the SKU of the token pack
UPDATE purchases SET sku = 'token_pack' WHERE id = :kept.purchase;
-- Money that does not match is refunded by itself, without a person
UPDATE owed_refunds SET reason = 'excess', due_at = 1 WHERE purchase_id = :odd.purchase;
-- Money that brought nothing becomes ten times as much, and what is owed of it too
UPDATE payments SET amount_minor = 10 * amount_minor WHERE purchase_id = :odd.purchase;
UPDATE owed_refunds SET amount_minor = 10 * amount_minor WHERE purchase_id = :odd.purchase;
-- A refund that an operator gave becomes larger, and takes more tokens
UPDATE owed_refunds SET amount_minor = 2 * amount_minor WHERE purchase_id = :pack.purchase;
UPDATE ledger SET tokens = 2 * tokens WHERE purchase_id = :pack.purchase AND kind = 'reversal';
UPDATE balances SET total = total - 45475 WHERE user_id = :pack.user;
UPDATE lots SET left = left - 45475 WHERE purchase_id = :pack.purchase;
-- A refund that an operator gave vanishes, as if nobody had given it
DELETE FROM owed_refunds WHERE purchase_id = :pack.purchase;
DELETE FROM ledger WHERE purchase_id = :pack.purchase AND kind = 'reversal';
UPDATE balances SET total = total + 45475 WHERE user_id = :pack.user;
UPDATE lots SET left = left + 45475 WHERE purchase_id = :pack.purchase;
-- A captured payment is made up, and owed back
INSERT INTO payments (id, purchase_id, razorpay_order_id, amount_minor, currency, rank, created_at, updated_at)
  SELECT 'pay_EMUmadeup00000', id, razorpay_order_id, amount_minor, currency, 3, created_at, created_at FROM purchases
  WHERE id = :unpaid.purchase;
INSERT INTO owed_refunds (payment_id, purchase_id, reason, amount_minor, created_at, due_at)
  SELECT id, purchase_id, 'excess', amount_minor, created_at, 1 FROM payments WHERE id = 'pay_EMUmadeup00000';
UPDATE purchases SET status = 'review' WHERE id = :unpaid.purchase;
-- A refund that was asked for vanishes, as if nobody had asked
DELETE FROM owed_refunds WHERE payment_id = :asked.payment;
DELETE FROM ledger WHERE purchase_id = :asked.purchase AND kind = 'reversal';
UPDATE lots SET left = left + 520000 WHERE purchase_id = :asked.purchase;
UPDATE balances SET total = total + 520000 WHERE user_id = :asked.user;
-- The tokens of a refunded purchase are put back and noted as missing
INSERT INTO shortfalls SELECT purchase_id, -tokens, 1 FROM ledger WHERE kind = 'reversal' AND purchase_id = :returned.purchase;
DELETE FROM ledger WHERE kind = 'reversal' AND purchase_id = :returned.purchase;
UPDATE lots SET left = tokens WHERE purchase_id = :returned.purchase;
UPDATE balances SET total = total + 1000000 WHERE user_id = :returned.user;
-- A pack was used before the plan that is older, whose tokens can then be refunded
UPDATE lots SET number = -number WHERE user_id = :twice.user;
UPDATE lots SET number = 1000 - number, left = 499834 WHERE purchase_id = :twice.purchase;
UPDATE lots SET number = 100 - number, left = 274525 WHERE purchase_id = :pack.purchase;
UPDATE lots SET number = -number WHERE number < 0;
-- Tokens of one account were used by another
UPDATE ledger SET user_id = :disputed.user WHERE user_id = :kept.user AND kind = 'use';
UPDATE usage_days SET user_id = :disputed.user WHERE user_id = :kept.user;
UPDATE balances SET used = 0 WHERE user_id = :kept.user;
UPDATE balances SET used = 300000 WHERE user_id = :disputed.user;
UPDATE lots SET left = tokens WHERE user_id = :kept.user;
UPDATE lots SET left = iif(purchase_id IS NULL, 0, left - 280000) WHERE user_id = :disputed.user;
-- A trial becomes a hundred times as large, in the balance and what is left of it too
UPDATE ledger SET tokens = 2000000 WHERE ref = 'trial:' || :unpaid.user;
UPDATE lots SET tokens = 2000000, left = 2000000 WHERE user_id = :unpaid.user;
UPDATE balances SET total = 2000000 WHERE user_id = :unpaid.user;
-- An account is said to be deleted, so that what it pays goes back
UPDATE users SET deleted_at = 1 WHERE id = :kept.user;
-- An account is suspended by nobody
UPDATE users SET suspended_at = 1 WHERE id = :kept.user;
-- A suspension is lifted by nobody
UPDATE users SET suspended_at = NULL WHERE id = :odd.user;
-- An alarm is acknowledged by nobody
INSERT INTO alarms (id, kind, first_seen_at, last_seen_at, count, fields, acknowledged_at)
  VALUES ('alm_x', 'job failed', 1, 1, 1, '{}', 2);
-- The sales are paused by nobody
INSERT INTO switches (name, is_on, text, changed_at, version) VALUES ('sales', false, '', 1, 1);

-- What is owed back is due in years
-- Nobody is harmed: the desk and `ops stuck` call a debt overdue after a day, whenever it is due.
UPDATE owed_refunds SET due_at = due_at + 99000000000 WHERE payment_id = :asked.payment;
-- A receipt names another buyer
-- Nobody is harmed: it is a word on a paper that was mailed as it was; no money follows from it, and a tax invoice is compared.
UPDATE receipts SET buyer_name = 'Somebody Else', buyer_email = 'else@example.test' WHERE purchase_id = :returned.purchase;
-- A plan is cancelled that its owner did not cancel
-- Nobody is harmed: plans do not renew, so it runs as long; only the words about its end differ.
UPDATE purchases SET cancelled_at = paid_at WHERE id = :kept.purchase;
-- A payment is said to contradict itself
-- Nobody is harmed: tokens that were granted stay, and money that was not granted waits for a person, whom a mail tells.
UPDATE payments SET conflict_at = 1 WHERE id = :kept.payment;
-- An unpaid purchase has the id of an order that is not its own
-- Nobody is harmed: the order at Razorpay names the purchase, by which money on it is found.
UPDATE purchases SET razorpay_order_id = 'order_EMUother000000' WHERE id = :unpaid.purchase;
-- An unpaid purchase is never asked about again
-- Nobody is harmed: a webhook or the daily audit tells of money for it.
UPDATE purchases SET next_check_at = NULL WHERE id = :unpaid.purchase;
-- The phase of a dispute is changed
-- Nobody is harmed: what it takes follows from its state, and the day to answer by is compared.
UPDATE refunds_and_disputes SET phase = 'fraud' WHERE payment_id = :disputed.payment;
-- A dispute is said to be as it is for years, so that news of it would not count
-- Nobody is harmed: while it is so at Razorpay it is right, and the day it is not, the audit calls it contradicted.
UPDATE refunds_and_disputes SET as_of = as_of + 99000000000 WHERE payment_id = :disputed.payment;
-- The refund that was sent for a debt is forgotten
-- Nobody is harmed: the debt is done, and the refund at Razorpay names it.
UPDATE owed_refunds SET refund_id = NULL WHERE payment_id = :sent.payment;
-- A refund was tried a thousand times
-- Nobody is harmed: it is tried again when it is due.
UPDATE owed_refunds SET attempts = 1000 WHERE payment_id = :asked.payment;
-- A link is said to last for longer
-- Nobody is harmed: it ends at Razorpay, and the job only asks about it for longer.
UPDATE purchases SET link_expires_at = link_expires_at + 99000000000 WHERE id = :linked.purchase;
-- An unpaid purchase is deleted, and its key
-- Nobody is harmed: money for it makes it again from its order.
DELETE FROM order_keys WHERE purchase_id = :unpaid.purchase;
DELETE FROM purchases WHERE id = :unpaid.purchase;
-- A receipt names another seller and address
-- Nobody is harmed: they are words on a paper; the GSTIN is compared.
UPDATE receipts SET seller_name = 'Somebody Else', invoice = json_set(invoice, '$.sellerAddress', 'Elsewhere')
  WHERE purchase_id = :sent.purchase;
-- A webhook is never settled, and the others are deleted
-- Nobody is harmed: the daily audit finds what they told of.
INSERT INTO webhook_events (event_id, event, body, received_at, attempts) VALUES ('x', 'order.paid', '{}', 1, 60);
DELETE FROM webhook_events WHERE event_id <> 'x';
-- The causes of what happened to purchases are deleted
-- Nobody is harmed: they are words in the history that the desk shows.
DELETE FROM purchase_causes;
-- A payment by card is said to be by UPI, or its card from another country
-- Nobody is harmed: the tax follows from what the buyer said; Razorpay's dashboard has the method and the card.
UPDATE payments SET method = 'upi', is_international = NOT is_international WHERE id = :kept.payment;
-- Two credit notes of the same hour swap their numbers
-- Nobody is harmed: both are there once, and the sums of a month are the same.
UPDATE credit_notes SET number = number + 1001 WHERE purchase_id = :twice.purchase AND amount_minor = 100000;
UPDATE credit_notes SET number = number - 1 WHERE purchase_id = :twice.purchase AND amount_minor = 50000;
UPDATE credit_notes SET number = number - 1000 WHERE number > 1000;
-- A use of tokens was a few minutes later
-- Nobody is harmed: the tokens of the day and of the account are the same.
UPDATE ledger SET created_at = created_at + 300000 WHERE user_id = :kept.user AND kind = 'use';
-- The country of the connection that ordered is changed
-- Nobody can know: only that connection had it. The tax follows from what the buyer said.
UPDATE purchases SET country = 'US' WHERE id = :unpaid.purchase;
-- A purchase names other terms
-- Nobody can know: the account accepts newer terms later, and only the order names those of its day.
UPDATE purchases SET terms_version = '1' WHERE id = :kept.purchase;
-- The price of an unpaid purchase is lowered
-- Nobody can know: prices change. Money on an order that Razorpay has must be of its old price; one that it does not have yet is sold at this one.
UPDATE purchases SET amount_minor = 100 WHERE id = :unpaid.purchase;
-- An unpaid purchase goes to another account, and the key of its order too
-- Nobody can know: the notes of the order at Razorpay name the account, and are read only to make lost purchases again.
UPDATE purchases SET user_id = :kept.user WHERE id = :unpaid.purchase;
UPDATE order_keys SET user_id = :kept.user WHERE purchase_id = :unpaid.purchase;
-- A purchase and its invoice name another state, with the same tax
-- Nobody can know: the buyer said it once, and may have said something else since.
UPDATE purchases SET billing = json_set(billing, '$.place', '07') WHERE id = :twice.purchase;
UPDATE receipts SET invoice = json_set(invoice, '$.placeOfSupply', '07 Delhi') WHERE purchase_id = :twice.purchase;
-- The first receipt has another GSTIN of the seller and a lower tax rate, and its tax
-- Nobody can know: a rate and a number are compared with those before and after. The newest is found at the next sale; compare the first with the return that was filed.
UPDATE receipts SET tax_rate = 500, cgst_minor = 7140, sgst_minor = 7140,
  invoice = json_set(invoice, '$.sellerGstin', '29AAAAA0000A1Z5') WHERE purchase_id = :kept.purchase;
-- The record of who had a trial names others
-- Nobody can know: it is a hash with a key that the database does not have, and the account may be deleted. It is worth one more trial.
UPDATE trials SET key_hash = 'x' || key_hash;
-- An operator's act names another operator and reason
-- Nobody can know: nothing else has them.
UPDATE desk_acts SET operator_id = 'usr_x', reason = 'none';
-- The history of all accounts is deleted
-- Nobody can know: the daily purge deletes from it, too.
DELETE FROM account_events;
-- The mails that wait are said to be sent, and the others are deleted
-- Nobody can know: the daily purge deletes them, too.
DELETE FROM mails WHERE due_at IS NULL;
UPDATE mails SET due_at = NULL, sent_at = 1;
-- An account gets the address, the password and the Google account of somebody else
-- Nobody can know: people change theirs. The owner cannot sign in any more, and says so.
UPDATE users SET email = 'else@example.test', email_key = 'else@example.test', password_hash = 'x', google_subject = '1'
  WHERE id = :kept.user;
