import type { Brand } from '../context.ts'
import type { Message } from './message.ts'

/** Sent 14 and 3 days before a plan ends; a plan is never renewed by itself. */
export function planEndingMessage(brand: Brand, origin: string, daysLeft: number): Message {
  const left = daysLeft === 1 ? 'in one day' : `in ${daysLeft} days`
  return {
    kind: 'plan_ending',
    subject: `Your ${brand.productName} plan ends ${left}`,
    paragraphs: [
      `Your plan ends ${left}. It was a one-time payment: nothing is charged by itself.`,
      'Tokens you have not used stay in your account. To go on, buy the plan again whenever you like.',
    ],
    action: { label: 'Look at the plans', url: `${origin}/subscription` },
    note: 'You can switch these reminders off in your preferences.',
    hasSecret: false,
  }
}

/** Sent once when less than a tenth of the tokens is left. */
export function tokensLowMessage(brand: Brand, origin: string): Message {
  return {
    kind: 'tokens_low',
    subject: `Few ${brand.productName} tokens are left`,
    paragraphs: [
      'Less than 10 % of your tokens are left. When they are used up, the assistant stops answering.',
      'With an active plan you can buy a token pack. Nothing is charged by itself.',
    ],
    action: { label: 'Look at your tokens', url: `${origin}/dashboard` },
    note: 'You can switch these reminders off in your preferences.',
    hasSecret: false,
  }
}
