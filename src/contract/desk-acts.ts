import { ANNOUNCEMENT_MAX } from './announcement.ts'
import { defineEndpoint, success } from './endpoint.ts'
import { email, Id, Instant, text } from './text.ts'
import { z } from './zod.ts'

/** How long the desk can undo the correction of an address. */
export const CORRECTION_DAYS = 7

/** The most tokens that are given or taken in one act. */
const ADJUSTMENT_MAX = 100_000_000

/** The most days that one act adds to a plan. */
const EXTENSION_DAYS_MAX = 365

/** Why an operator's act is refused. */
export const DESK_ACT = {
  ownAccount: 'This is your own account. Another operator can act on it.',
  isSuspended: 'The account is already suspended.',
  isNotSuspended: 'The account is not suspended.',
  noSessions: 'The account has no open session.',
  noMail: 'The account has no such email.',
  isWiped:
    'The link in this email was removed when it was sent or given up. Ask the customer to request a new one.',
  noAlarm: 'This alarm is no longer open. Someone has acknowledged it.',
  noProvider: 'Razorpay does not answer. Nothing was changed. Try again in a minute.',
  reasonRequired: 'Say why. The reason stays with the entry permanently.',
  changed:
    'Something changed since this was shown, so nothing was done. Look at what would change now.',
  notPaid: 'Nothing was paid for this purchase, so nothing can be refunded.',
  disputed: 'The bank is disputing this payment and decides what is refunded. Answer the dispute.',
  askedBack:
    'A refund of this purchase was already requested. Refund more in Razorpay’s dashboard; the webhook brings it here.',
  refunded: 'All of this payment has already been refunded.',
  deleted:
    'The account was deleted. Refund the payment in Razorpay’s dashboard; the webhook brings it here.',
  mismatch:
    'The money that arrived does not match the order, and bought nothing. Refund it in Razorpay’s dashboard; the webhook closes the case.',
  answerDispute:
    'The bank is disputing this payment. Print the evidence, and answer in Razorpay’s dashboard before the deadline.',
  nothingUnused:
    'All of its tokens have been used, so the formula refunds nothing. Refund an amount in Razorpay’s dashboard instead.',
  tooLittle: 'Razorpay refunds no less than 1.00.',
  tokens: 'Enter a whole number of tokens other than 0, at most 100,000,000.',
  days: 'Enter a whole number of days from 1 to 365.',
  noPlan: 'The account has no plan, or its plan was refunded or is in dispute.',
  endsAnyway: 'The plan would still have ended before today. Enter more days.',
  isOperator: 'This is the account of an operator. Remove its address from OPERATORS first.',
  notNamed: 'OPERATORS does not name the address of this account.',
  noFactor: 'The account has no second step. Ask its operator to set one up under Security.',
  sameAddress: 'The account already has this address.',
  operatorAddress: 'This is the address of an operator. Remove it from OPERATORS first.',
  addressTaken: 'Another account has this address. Delete that one first, if it is empty.',
  corrected:
    'The address was corrected within the last 7 days. Undo that first, or wait until they are over.',
  notCorrected:
    'No address was corrected within the last 7 days. If you know the former one, correct it again.',
  formerTaken:
    'Another account now has the former address or its Google account. Give this account a different address.',
} as const

/** Why a change of an announcement or a switch is refused. */
export const SWITCH = {
  textRequired: 'Write a message.',
  unchanged: 'No change.',
  noAnnouncement: 'Nothing is announced.',
  isPast: 'Choose a later time, or none.',
} as const

const ofAccount = { userId: Id }
const ofPurchase = { ...ofAccount, purchaseId: Id }

/** What an operator can do. To add an act, see CONTRIBUTING.md; one on an account has a button in `ACCOUNT_ACTS`. */
export const Act = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('end_sessions'), ...ofAccount }),
  z.object({ kind: z.literal('suspend'), ...ofAccount }),
  z.object({ kind: z.literal('lift_suspension'), ...ofAccount }),
  z.object({ kind: z.literal('resend_mail'), ...ofAccount, mailId: z.string().max(120) }),
  z.object({ kind: z.literal('ask_provider'), ...ofPurchase }),
  /** By the formula of the buyer's own refund: the price times the unused share of the tokens. */
  z.object({ kind: z.literal('refund'), ...ofPurchase }),
  z.object({
    kind: z.literal('adjust_tokens'),
    ...ofAccount,
    /** Given when positive, taken when negative. */
    tokens: z
      .int(DESK_ACT.tokens)
      .min(-ADJUSTMENT_MAX, DESK_ACT.tokens)
      .max(ADJUSTMENT_MAX, DESK_ACT.tokens)
      .refine((tokens) => tokens !== 0, DESK_ACT.tokens),
  }),
  z.object({
    kind: z.literal('extend_plan'),
    ...ofAccount,
    days: z.int(DESK_ACT.days).min(1, DESK_ACT.days).max(EXTENSION_DAYS_MAX, DESK_ACT.days),
  }),
  z.object({ kind: z.literal('correct_address'), ...ofAccount, email: email() }),
  z.object({ kind: z.literal('undo_correction'), ...ofAccount }),
  z.object({ kind: z.literal('export_data'), ...ofAccount }),
  z.object({ kind: z.literal('delete_account'), ...ofAccount }),
  z.object({ kind: z.literal('acknowledge_alarm'), alarmId: Id }),
  z.object({
    kind: z.literal('announce'),
    text: text({ max: ANNOUNCEMENT_MAX, required: SWITCH.textRequired }),
    /** When it ends by itself; null when an operator ends it. */
    until: Instant.nullable(),
  }),
  z.object({ kind: z.literal('end_announcement') }),
  z.object({ kind: z.literal('switch'), name: z.enum(['trial', 'sales']), isOn: z.boolean() }),
])
export type Act = z.infer<typeof Act>

/** An act's own field at the desk, besides the reason. */
export interface ActField {
  label: string
  type?: 'email'
  hint?: (typed: string) => string
  isOptional?: boolean
}

interface AccountAct {
  /** The text of its button. */
  label: string
  isOffered?: (account: {
    sessions: readonly unknown[]
    suspendedAt: string | null
    correctedUntil: string | null
  }) => boolean
  /** `danger` for what cannot be taken back. */
  look?: 'danger'
  field?: ActField
  /** The act, given the text in `field`. */
  act: (userId: string, typed: string) => Act
}

/** The forms of the acts on an account, in the order of its page at the desk. */
export const ACCOUNT_ACTS: readonly AccountAct[] = [
  {
    label: 'End all sessions',
    isOffered: ({ sessions }) => sessions.length > 0,
    act: (userId) => ({ kind: 'end_sessions', userId }),
  },
  {
    label: 'Suspend the account',
    isOffered: ({ suspendedAt }) => suspendedAt === null,
    act: (userId) => ({ kind: 'suspend', userId }),
  },
  {
    label: 'Lift the suspension',
    isOffered: ({ suspendedAt }) => suspendedAt !== null,
    act: (userId) => ({ kind: 'lift_suspension', userId }),
  },
  {
    label: 'Add or remove tokens',
    field: { label: 'Tokens', hint: () => '5000 adds, -5000 removes.' },
    act: (userId, typed) => ({ kind: 'adjust_tokens', userId, tokens: numberIn(typed) }),
  },
  {
    label: 'Extend the plan',
    field: { label: 'Days', hint: () => 'Added to its end, as goodwill.' },
    act: (userId, typed) => ({ kind: 'extend_plan', userId, days: numberIn(typed) }),
  },
  {
    label: 'Correct the address',
    isOffered: ({ correctedUntil }) => correctedUntil === null,
    field: { label: 'The right address', type: 'email' },
    act: (userId, email) => ({ kind: 'correct_address', userId, email }),
  },
  {
    label: 'Undo the correction',
    isOffered: ({ correctedUntil }) => correctedUntil !== null,
    act: (userId) => ({ kind: 'undo_correction', userId }),
  },
  { label: 'Export the data', act: (userId) => ({ kind: 'export_data', userId }) },
  {
    label: 'Delete the account',
    look: 'danger',
    act: (userId) => ({ kind: 'delete_account', userId }),
  },
]

/** `5000`, `-5,000` and `5 000` as a number; NaN for anything else. */
function numberIn(typed: string): number {
  const digits = typed.replaceAll(/[\s,]/g, '')
  return /^[+-]?\d{1,9}$/.test(digits) ? Number(digits) : NaN
}

/** What an act changes, one sentence for each change. */
const Changes = z.array(z.string().max(400)).max(20)

export const actEndpoint = defineEndpoint({
  id: 'deskAct',
  method: 'POST',
  path: '/api/desk/acts',
  access: 'operator',
  body: z.object({
    act: Act,
    reason: text({ max: 300, required: DESK_ACT.reasonRequired }),
    /** True previews the changes and makes none. */
    isPreview: z.boolean(),
    /** The sentences that a preview showed. If they have changed since, nothing is done. */
    shown: Changes.optional(),
  }),
  success: success({
    changes: Changes,
    /** The data of an export, once it is carried out. */
    data: z.record(z.string().max(40), z.unknown()).optional(),
  }),
})
