import type { Item } from '../../../src/contract/catalogue.ts'
import type { Context } from '../context.ts'
import type { Message } from '../mail/message.ts'
import { formatMoney } from './format-money.ts'
import { describeItem } from './item.ts'
import type { Purchase } from './purchase-row.ts'

type MessageContext = Pick<Context, 'brand' | 'origin'>

/** Once for each paid purchase. */
export function receiptMessage(
  { brand, origin }: MessageContext,
  { purchase, item, number }: { purchase: Purchase; item: Item; number: string },
): Message {
  const total = formatMoney(purchase.amountMinor, purchase.currency)
  return {
    kind: 'receipt',
    subject: `Your ${brand.productName} receipt`,
    paragraphs: [
      `Thank you. Your payment of ${total} arrived, and ${tokens(purchase.tokens)} tokens were added to your account.`,
    ],
    rows: [
      ['Receipt', number],
      ['Item', describeItem({ brand }, item)],
      ['Total', total],
      ['Seller', brand.legalEntity],
    ],
    action: { label: 'Open the receipt', url: `${origin}/receipt?id=${purchase.id}` },
    note: 'This was a one-time payment. Nothing is charged again.',
    hasSecret: false,
  }
}

/** Once for each refund, by Razorpay's own id of it. */
export function refundMessage(
  { brand, origin }: MessageContext,
  { item, amount }: { item: Item; amount: string },
): Message {
  return {
    kind: 'refund',
    subject: `Your ${brand.productName} refund`,
    paragraphs: [
      `We sent ${amount} back to the payment method you used. Banks usually show it within 5 to 7 working days.`,
    ],
    rows: [
      ['Item', item.name],
      ['Refund', amount],
    ],
    action: { label: 'Your purchases', url: `${origin}/profile?tab=subscription` },
    hasSecret: false,
  }
}

/** Once for each payment that does not match its order: what PURCHASE.needsReview promises. */
export function reviewMessage(
  { brand, origin }: MessageContext,
  { item, purchase, paid }: { item: Item; purchase: Purchase; paid: string },
): Message {
  return {
    kind: 'payment_in_review',
    subject: `Your ${brand.productName} payment is being checked`,
    paragraphs: [
      'A payment of yours arrived, but it does not match the order, so no tokens were added for it.',
      'We look at it by hand, send the money back to the payment method you used, and write to you when it is on its way. There is nothing you need to do.',
    ],
    rows: [
      ['Item', item.name],
      ['Ordered', formatMoney(purchase.amountMinor, purchase.currency)],
      ['Paid', paid],
      ['Reference', purchase.id],
    ],
    action: { label: 'Your purchases', url: `${origin}/profile?tab=subscription` },
    note: `Questions? Write to ${brand.supportEmail} and name the reference.`,
    hasSecret: false,
  }
}

/** To the team, who decide. Names ids, no person. */
export function reviewForTeamMessage(
  purchase: Purchase,
  { paid, paymentId }: { paid: string; paymentId: string },
): Message {
  return {
    kind: 'payment_in_review_for_team',
    subject: 'A payment does not match its order',
    paragraphs: [
      'Captured money that fits no order of ours: send it back by hand. The runbook tells how.',
    ],
    rows: [
      ['Purchase', purchase.id],
      ['Ordered', formatMoney(purchase.amountMinor, purchase.currency)],
      ['Payment', paymentId],
      ['Paid', paid],
    ],
    hasSecret: false,
  }
}

function tokens(count: number): string {
  return count.toLocaleString('en-US')
}
