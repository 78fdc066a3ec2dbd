import { TOKEN_PACK } from '../../../src/contract/catalogue.ts'
import { REFUND_TERMS } from '../../../src/contract/messages.ts'
import { z } from '../../../src/contract/zod.ts'
import { formatMoney, inFigures, receiptNumber } from '../format-money.ts'
import { minuteInWords } from '../time.ts'
import { Link, mailType, secretOrWiped } from './message.ts'

const Money = z.object({ amountMinor: z.int(), currency: z.string() })
const money = ({ amountMinor, currency }: z.output<typeof Money>) =>
  formatMoney(amountMinor, currency)

const Numbered = z.object({ series: z.string(), number: z.int() })

/** What a mail is about. An unpaid purchase has no receipt, nor have mails from before they named it. */
const About = z.object({
  item: z.string(),
  purchaseId: z.string(),
  receipt: Numbered.nullable().default(null),
})
const referenceOf = ({
  purchaseId,
  receipt,
}: Pick<z.output<typeof About>, 'purchaseId' | 'receipt'>) =>
  receipt === null ? purchaseId : receiptNumber(receipt)

/** The states of a dispute as they are stored (refund-and-dispute-rows.ts), as the team reads them. */
export const DISPUTE_STATES = {
  inquiry: 'a question from the bank',
  open: 'open',
  final: 'lost',
  undone: 'ended without a deduction',
} as const
const DisputeState = z.enum(['inquiry', 'open', 'final', 'undone'])

/** What a reminder has that one can do without. */
const reminder = (origin: string) => ({
  note: `You can turn these reminders off in your preferences: ${origin}/settings`,
  unsubscribe: `${origin}/settings`,
})

/** Mails about purchases, plans and tokens. */
export const purchaseMails = {
  /** Once for each paid purchase. `item` is its description in the catalogue. */
  receipt: mailType(
    z.object({
      series: z.string().default(''),
      number: z.int(),
      purchaseId: z.string(),
      item: z.string(),
      tokens: z.int(),
      total: Money,
    }),
    ({ series, number, purchaseId, item, tokens, total }, { brand, origin }) => ({
      subject: `Your ${brand.productName} receipt`,
      paragraphs: [
        `Thank you. We received your payment of ${money(total)} and added ${inFigures(tokens)} tokens to your account.`,
      ],
      rows: [
        ['Receipt', receiptNumber({ series, number })],
        ['Item', `${brand.productName} ${item}`],
        ['Total', money(total)],
        ['Seller', brand.legalEntity],
      ],
      action: { label: 'Open the receipt', url: `${origin}/receipt?id=${purchaseId}` },
      note: `This was a one-time payment. You will not be charged again. ${REFUND_TERMS}`,
    }),
  ),

  /** Once for each refund, by Razorpay's id of it. */
  refund: mailType(
    z.object({
      item: z.string(),
      /** The evidence for a dispute shows the mails of its purchase. Mails of an earlier version do not name it. */
      purchaseId: z.string().optional(),
      refunded: Money,
      isDone: z.boolean().default(true),
    }),
    ({ item, refunded, isDone }, { brand, origin }) => ({
      subject: `Your ${brand.productName} refund`,
      paragraphs: [
        `${isDone ? `We refunded ${money(refunded)}` : `We sent your refund of ${money(refunded)}`} to your original payment method. Banks usually show it within 5 to 7 working days.`,
      ],
      rows: [
        ['Item', item],
        ['Refund', money(refunded)],
      ],
      action: { label: 'Your purchases', url: `${origin}/profile?tab=subscription` },
    }),
  ),

  /** To a buyer without a password who asks for a refund: the link confirms it. */
  refund_link: mailType(
    Link.extend({ purchaseId: z.string(), item: z.string(), refund: Money }),
    ({ secret, purchaseId, item, refund }, { brand, origin }) => ({
      subject: `Confirm your ${brand.productName} refund`,
      paragraphs: [
        `Someone signed in to your account asked for a refund of ${money(refund)}. If that was you, open the link within an hour and confirm it there. Until then nothing changes.`,
        'If it was not you, do not open the link, and end all other sessions in your account settings.',
      ],
      rows: [
        ['Item', item],
        ['Refund', money(refund)],
      ],
      action: {
        label: 'Review the refund',
        // Behind the hash, which browsers send to nobody.
        url: `${origin}/profile?tab=subscription#refund=${purchaseId}.${secretOrWiped(secret)}`,
      },
    }),
  ),

  /** Once for each refund that a buyer requested: the acknowledgement that the buyer keeps. */
  refund_asked: mailType(
    About.extend({
      refund: Money,
      tokens: z.int(),
      /** Milliseconds UTC. */
      askedAt: z.int(),
    }),
    ({ item, purchaseId, receipt, refund, tokens, askedAt }, { brand, origin }) => ({
      subject: `Your ${brand.productName} refund request`,
      paragraphs: [
        `A refund of this purchase was requested (withdrawal from the contract). We will refund ${money(refund)} to your original payment method and email you when it is sent.`,
        `Its ${inFigures(tokens)} unused tokens were removed from your account.${item === TOKEN_PACK.name ? '' : ' The plan has ended.'}`,
      ],
      rows: [
        ['Item', item],
        ['Refund', money(refund)],
        ['Requested', minuteInWords(askedAt)],
        ['Reference', referenceOf({ purchaseId, receipt })],
      ],
      action: { label: 'Your purchases', url: `${origin}/profile?tab=subscription` },
      note: `If it was not you, write to ${brand.supportEmail} and quote the reference.`,
    }),
  ),

  /** When a refund that we owe did not go through, or has waited for two days: `why`. */
  refund_failed: mailType(
    About.extend({
      refund: Money,
      why: z.enum(['refused', 'waits', 'disputed']).default('refused'),
    }),
    ({ item, purchaseId, receipt, refund, why }, { brand }) => ({
      subject: `Your ${brand.productName} refund is delayed`,
      paragraphs: [
        why === 'disputed'
          ? `We cannot send your refund of ${money(refund)} while your bank's dispute of this payment is open. If the bank returns the money, that takes the refund's place; if not, we send it and email you.`
          : `The refund of ${money(refund)} ${why === 'refused' ? 'did not go through' : 'has not been sent yet'}. We will keep trying, at growing intervals, and email you when it is sent. We still owe you this money.`,
        `If the card or account you paid with no longer exists, write to ${brand.supportEmail} and we will find another way.`,
      ],
      rows: [
        ['Item', item],
        ['Refund', money(refund)],
        ['Reference', referenceOf({ purchaseId, receipt })],
      ],
    }),
  ),

  /** Each time a dispute takes tokens, gives them back, or is lost. `left` is what the account has now. */
  payment_disputed: mailType(
    About.extend({
      disputed: Money,
      step: DisputeState,
      isPlan: z.boolean(),
      left: z.int(),
    }),
    ({ item, purchaseId, receipt, disputed, step, isPlan, left }, { brand, origin }) => ({
      subject: `Your ${brand.productName} payment: ${step === 'undone' ? 'the dispute is closed' : 'a dispute'}`,
      paragraphs: [
        {
          open: `Your bank disputes ${money(disputed)} of this payment. Until that is decided, the unused tokens it paid for are set aside${isPlan ? ', its plan stops' : ''}, and we refund nothing of it.`,
          inquiry: `Your bank no longer holds ${money(disputed)} of this payment: it asks us about it first. What its dispute had set aside is back in your account, unless a refund takes it.`,
          final: `Your bank decided the dispute of ${money(disputed)} in your favour and returns the money. The unused tokens it paid for stay removed.`,
          undone: `The dispute of ${money(disputed)} was closed without returning the money. What it had set aside is back in your account, unless a refund takes it.`,
        }[step],
        `You have ${inFigures(left)} tokens now.`,
        ...(step === 'open'
          ? [
              'If you did not mean to dispute it, ask your bank to withdraw the dispute. If you do not know why your bank did, write to us.',
            ]
          : []),
      ],
      rows: [
        ['Item', item],
        ['Disputed', money(disputed)],
        ['Reference', referenceOf({ purchaseId, receipt })],
      ],
      action: { label: 'Your purchases', url: `${origin}/profile?tab=subscription` },
      note: `Questions? Write to ${brand.supportEmail} and quote the reference.`,
    }),
  ),

  /** Once for each payment that does not match its order, as PURCHASE.needsReview promises. */
  payment_in_review: mailType(
    About.extend({ ordered: Money, paid: Money }),
    ({ item, purchaseId, receipt, ordered, paid }, { brand, origin }) => ({
      subject: `Your ${brand.productName} payment is being checked`,
      paragraphs: [
        'We received a payment from you that does not match its order, so no tokens were added for it.',
        'We are checking it by hand. We will refund it to your original payment method and email you when the money is on its way. There is nothing you need to do.',
      ],
      rows: [
        ['Item', item],
        ['Ordered', money(ordered)],
        ['Paid', money(paid)],
        ['Reference', referenceOf({ purchaseId, receipt })],
      ],
      action: { label: 'Your purchases', url: `${origin}/profile?tab=subscription` },
      note: `Questions? Write to ${brand.supportEmail} and quote the reference.`,
    }),
  ),

  /** To the address that paid for an account that was deleted before the payment arrived. */
  payment_after_deletion: mailType(
    z.object({ paymentId: z.string(), item: z.string(), paid: Money }),
    ({ paymentId, item, paid }, { brand }) => ({
      subject: `We are refunding your ${brand.productName} payment`,
      paragraphs: [
        `We received a payment of ${money(paid)} from you for an account that had already been deleted. Nothing was added to it.`,
        'We will refund it to your original payment method. Banks usually show it within 5 to 7 working days. There is nothing you need to do.',
      ],
      rows: [
        ['Item', item],
        ['Paid', money(paid)],
        ['Reference', paymentId],
      ],
      note: `Questions? Write to ${brand.supportEmail} and quote the reference.`,
    }),
  ),

  /** To the team: each dispute, and each step of it. It names ids and no person. */
  dispute_for_team: mailType(
    z.object({
      purchaseId: z.string(),
      paymentId: z.string(),
      disputeId: z.string(),
      phase: z.string(),
      state: DisputeState,
      disputed: Money,
      paid: Money,
      /** Milliseconds UTC. */
      respondBy: z.int().nullable(),
    }),
    (
      { purchaseId, paymentId, disputeId, phase, state, disputed, paid, respondBy },
      { adminOrigin },
    ) => ({
      subject: `A payment was disputed: ${phase}, ${DISPUTE_STATES[state]}`,
      paragraphs: [
        state === 'final' || state === 'undone'
          ? 'This dispute is over. There is nothing to answer.'
          : respondBy === null
            ? "It names no deadline. Either it was answered and the bank is reviewing it, or it needs an answer: look in the payment provider's dashboard."
            : "Answer it in the payment provider's dashboard before the time below. A dispute without an answer is lost.",
      ],
      rows: [
        ['Dispute', disputeId],
        ['Disputed', money(disputed)],
        ...(respondBy === null ? [] : [['Answer by', minuteInWords(respondBy)] as const]),
        ['Purchase', purchaseId],
        ['Payment', paymentId],
        ['Paid', money(paid)],
      ],
      action: {
        label: ['final', 'undone'].includes(state) ? 'See the dispute' : 'Collect the evidence',
        url: `${adminOrigin}/admin/disputes/${disputeId}`,
      },
    }),
  ),

  /** Sent 14 and 3 days before a plan ends; a plan is never renewed by itself. Mails of before 30 November 2026 lack `endsAt`. */
  plan_ending: mailType(
    z.object({ daysLeft: z.int(), endsAt: z.int().optional() }),
    ({ daysLeft, endsAt }, { brand, origin }) => {
      const inDays = daysLeft === 1 ? 'in one day' : `in ${daysLeft} days`
      const left = endsAt === undefined ? inDays : `on ${minuteInWords(endsAt)}`
      return {
        subject: `Your ${brand.productName} plan ends ${left}`,
        paragraphs: [
          `Your plan ends ${left}. It was a one-time payment: nothing is charged automatically.`,
          'Unused tokens stay in your account. Once the plan has ended, you can buy it again.',
        ],
        action: { label: 'See your plan', url: `${origin}/profile?tab=subscription` },
        ...reminder(origin),
      }
    },
  ),

  /** Sent once for each fall below a tenth of the tokens (notify-low-tokens.ts). */
  tokens_low: mailType(z.object({}), (_, { brand, origin }) => ({
    subject: `You are running low on ${brand.productName} tokens`,
    paragraphs: [
      'Less than 10% of your tokens are left. When they run out, the assistant stops answering.',
      'A plan adds more, and with an active plan you can buy token packs. Nothing is charged automatically.',
    ],
    action: { label: 'See your tokens', url: `${origin}/dashboard` },
    ...reminder(origin),
  })),
}
