import type { Item } from '../../../src/contract/catalogue.ts'
import type { Context } from '../context.ts'
import type { Message } from '../mail/message.ts'
import { formatMoney } from './format-money.ts'
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
      ['Item', item.description],
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

function tokens(count: number): string {
  return count.toLocaleString('en-US')
}
