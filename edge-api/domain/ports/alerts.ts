import type { LogFields } from './log.ts'

const UNSEEN =
  'Neither a webhook nor the reconcile job had seen it; id and state say what it is. It has just been settled. Find out why the webhook did not arrive: is its event ticked?'

/**
 * The meaning of each alert and what to do, in the words of the mail and the admin pages. An alert without a text does not
 * compile.
 */
export const ALERTS = {
  'payments are not configured':
    'The Razorpay keys or the webhook secret are missing or belong to another environment. Set them. Nothing can be bought until then',
  'sign-in with Google is not configured':
    'One of the Google variables is missing or unusable. Set it, or delete GOOGLE_CLIENT_ID. The button stays off until then',
  'the payment provider refused':
    'Razorpay refused a request; reason is its answer. With order_differs, it has another amount or receipt for an order than we asked for: nothing was sold, so look at the order in the dashboard',
  'the payment provider does not accept our keys':
    'Razorpay answered 401: the key was revoked, or its secret is wrong. Nothing can be bought until you set others and deploy. Health shows payments as down',
  'a payment is disputed':
    "A buyer's bank asks for the money back, or asks a question (retrieval, fraud). The team has an email. While it is open, answer in Razorpay's dashboard in time (respond by; none once it was answered): a dispute without an answer is lost. state says how it ended. A chargeback takes its tokens at once and gives them back when it is won or closed. If its currency is not the payment's, nobody here knows its share: it takes all tokens of the purchase, and keeps them unless it is won or closed; takes says so. Give some back by hand if that is too much",
  'the payment provider does not answer for a purchase':
    "Razorpay still gave no answer at the tenth check (or the 20th, 30th …). Look at Razorpay's status page. If all is well there, look up the order in the dashboard",
  'an address has two accounts':
    'Both were made when two spellings of its domain counted as two addresses. Each signs in with its own password; mail and reset links go to the verified one, or else to the older. Ask the customer which one to keep',
  'a payment could not be captured':
    'Razorpay does not let us capture an authorized payment. It returns the money to the buyer by itself. If you want the sale, capture it in the dashboard',
  'captured money is owed back':
    'excess: someone paid twice, or paid a second plan while one is active; a job refunds it. late: the order was older than 7 days when it was paid; a job refunds it. deleted_account: the money came after the account was deleted; a job refunds it, and the address that paid gets an email if Razorpay told us of it. mismatch: another amount, currency or order; the buyer got an email. Refund the payment in the dashboard; the webhook then closes the case',
  'an account buys and gives back':
    'An account took its second refund within 365 days; it has to write to support for the next. Look at its purchases at /admin: someone may have been unlucky twice, or may be buying, using and refunding in turn. The refund is due either way',
  'owed money could not be sent back':
    'Razorpay refused a refund of extra money, or one that a buyer asked for (the buyer got an email that it is delayed). The job tries again at growing intervals. If it keeps failing, refund in the dashboard: the webhook closes the case, and what went back is not sent again',
  'a refund came back':
    'A refund failed at Razorpay. Tokens that it had taken were given back, unless its buyer requested it. If we owe the money, the job sends it again at growing intervals, and the buyer got an email that it is delayed. If you made the refund in the dashboard, nothing sends it again: make another, or ask the buyer for another way. Where its credit note was issued, the note is for the money that is sent instead; if none is, tell the accountant, who enters the correction',
  'a payment contradicts itself':
    'Razorpay reported another amount, currency or order for a known payment, or that its order is of another purchase. Granted tokens stay. Or it lists a refund that it had reported as failed. Or all we owed was sent, and some still seems to be missing. Nothing more is sent for this payment. Compare its refunds in the dashboard with what the page of its customer at /admin says was owed, and refund by hand only what is really missing. Ask Razorpay',
  'money for an unknown order':
    'Money was captured for orders that are not ours, perhaps of another site with the same keys; at most one alert a day from webhooks and one from the audit. The audit names each payment in its log line, and npm run ops -- reconcile prints them all. Look them up in the dashboard: the notes of an order of ours name its purchase, account and tokens. One of ours is among them only after a restore lost its purchase: the runbook says what to do',
  'the audit found a payment unaccounted for': UNSEEN,
  'the audit found a refund unaccounted for': UNSEEN,
  'the audit found a dispute unaccounted for': UNSEEN,
  'what is stored contradicts Razorpay':
    'A payment, refund or dispute (ids) is stored here but unknown at Razorpay, or is different there; the fields here and there show both versions of the first one. It may be forged, or someone wrote into the database: run verify-ledger, look at the purchase, and ask Razorpay. Nothing was changed',
  'the audit did not see everything':
    'There were more than 1,000 payments in a day, or refunds or disputes in its span; kind says which. Raise PAGES_MAX in edge-api/gateways/razorpay/call.ts. For unaccounted payments: the time of the run was over; npm run ops -- reconcile has no limit',
  'the payment provider listed something unknown':
    'An entry of a list has a shape or a status that we do not know. It was left out; the other entries were read. Look up its id in the dashboard, and teach edge-api/gateways/razorpay/entities.ts what it means',
  'no webhook arrives':
    'Something was paid in the last two days, and no webhook came. Razorpay disables an endpoint after a day of failures: enable it in the dashboard. The jobs find every payment meanwhile, and the audit every refund and dispute',
  'a webhook was not understood':
    'Razorpay signed it, but its shape is unknown. It is kept in webhook_events. The reconcile job finds a payment without it, and the daily audit a refund or a dispute',
  'breached passwords are not asked':
    'BREACHED_PASSWORDS_URL is unusable. Passwords are accepted without this check until you correct it',
  'job failed':
    'A scheduled job stopped with an error, or could not work on what it names; job says which, and the line before has the error. The next run tries again: every minute, or the next day for auditPurchases, remindPlanEnding, announceTerms, mailYesterday and purgeExpired. If it fails again, something is wrong with the database or the code',
  'the purge did not finish':
    "The time of the daily run was over before all expired rows were deleted. The next day's run continues. If this comes each day, data stays for longer than the privacy page says: let a batch delete more (MOST_ROWS and BATCH_MS in edge-api/domain/data-rights/purge-expired.ts)",
  'no mail leaves':
    "The mail provider refused mail twice, and none has left since it was written; reason has the provider's code. If it began with a deployment, roll back. Else look at the domain and its limits in Cloudflare Email Service. Mail waits for a day, and the alert repeats with each try",
  'the trials of today are being used up':
    "A fifth of the day's trials was given, and another with each alert: trials of DAILY_LIMITS.trial in src/contract/limits.ts. Look at the day's registrations by network in account_events: many from a few networks are a farm, many from everywhere are a launch. Switch the trial off at /admin/flags for the former, raise the limit for the latter. Once all are given, accounts get theirs when they next prove their address on another day",
  'mail given up':
    'An email could not be delivered for a day. The reason is in the log line and in mails.last_error',
  'the alarm webhook takes nothing':
    'ALARM_WEBHOOK_URL did not take a message; reason is the status of its answer, or the name of the error. Each minute tries again, and emails go out meanwhile. Renew the webhook in your chat, or delete the variable',
} as const

export type AlertKind = keyof typeof ALERTS

const OF_ONE_PAYMENT: readonly AlertKind[] = [
  'a payment is disputed',
  'a refund came back',
  'captured money is owed back',
  'owed money could not be sent back',
]

/** The payment or the job, for kinds of alert that are raised once for each; '' for the other kinds. */
export function subjectOf(kind: AlertKind, { paymentId, job }: LogFields): string {
  if (kind === 'job failed') return String(job)
  return OF_ONE_PAYMENT.includes(kind) ? String(paymentId) : ''
}

/** The fields of an alert for people: "purchase" for `purchaseId`, "respond by" for `respondBy`. */
export function sayFields(
  fields: Readonly<Record<string, unknown>>,
): [name: string, value: string][] {
  return Object.entries(fields).map(([name, value]) => [
    sayField(name),
    value === null ? 'unknown' : String(value),
  ])
}

/** The name of a field in words. */
export function sayField(name: string): string {
  return name
    .replace(/^razorpay(?=[A-Z])|(?<=[a-z])Ids?$/g, '')
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase()
}

/** Whether an alert is called this, in this version of the code. */
export function isAlertKind(kind: string): kind is AlertKind {
  return Object.hasOwn(ALERTS, kind)
}
