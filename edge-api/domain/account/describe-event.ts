import { z } from '../../../src/contract/zod.ts'
import type { AccountEventKind } from '../../../src/contract/notice.ts'

const Detail = z.record(z.string(), z.union([z.string(), z.number()]))

/** The sentence the owner reads. `detail` is what the event kept for it, as JSON. */
export function describeEvent(
  kind: AccountEventKind,
  event: { detail: string; device: string | null },
): string {
  const detail = Detail.catch({}).parse(JSON.parse(event.detail))
  const device = event.device?.replace(/^Unknown device$/, 'an unknown device')
  return SENTENCES[kind]({ detail, device: device ?? 'an unknown device' })
}

interface Facts {
  detail: z.infer<typeof Detail>
  device: string
}

const SENTENCES: Record<AccountEventKind, (facts: Facts) => string> = {
  registered: () => 'You made this account.',
  signed_in: ({ device }) => `Signed in on ${device}.`,
  signed_in_new_device: ({ device }) => `Signed in on a new device: ${device}.`,
  sign_in_failed: ({ device }) => `Somebody used a wrong password on ${device}.`,
  signed_out: ({ device }) => `Signed out on ${device}.`,
  session_ended: () => 'You ended a session.',
  email_verified: () => 'Your email address was verified.',
  password_reset_requested: () => 'A link to reset the password was asked for.',
  password_reset: () => 'Your password was reset. All devices were signed out.',
  password_changed: () => 'Your password was changed. Other devices were signed out.',
  profile_changed: () => 'Your profile was changed.',
  paid: ({ detail }) => `Payment received: ${detail['item'] ?? 'your purchase'}.`,
  refunded: ({ detail }) => `Refunded: ${detail['item'] ?? 'a purchase'}.`,
  disputed: ({ detail }) => `A payment is disputed: ${detail['item'] ?? 'a purchase'}.`,
  plan_cancelled: () => 'You cancelled your plan. It runs until the end of its period.',
  plan_reactivated: () => 'You took the cancellation of your plan back.',
  plan_ending: ({ detail }) => `Your plan ends in ${detail['days'] ?? 'a few'} days.`,
  tokens_low: () => 'Less than 10 % of your tokens are left.',
  device_connected: ({ detail }) => `Signed in: ${detail['client'] ?? 'a desktop app'}.`,
  google_connected: ({ detail }) =>
    `A Google account was connected: ${detail['email'] ?? 'you can sign in with it'}.`,
  data_exported: () => 'You downloaded your data.',
  account_deleted: () => 'The account was deleted.',
}
