import type { Endpoint } from '../../../src/contract/endpoint.ts'

/** Chapters of the description, by the first part of the path. */
const CHAPTERS = [
  ['/api/auth', 'Account', 'Making an account, proving its address, changing it, leaving.'],
  ['/api/auth/sessions', 'Sessions', 'Where the account is signed in.'],
  ['/api/device', 'Desktop sign-in', 'A desktop app gets in by a code (RFC 8628).'],
  ['/api/subscription', 'Plan and tokens', 'What is sold, the plan of the caller, its tokens.'],
  ['/api/usage', 'Usage', 'What the tokens were used for.'],
  ['/api/payment', 'Payments', 'Ordering, paying, receipts. Prices come from the catalogue alone.'],
  ['/api/webhooks', 'Webhooks', 'What the payment provider tells us.'],
  ['/api/support', 'Support', 'Writing to us.'],
  ['/api/careers', 'Careers', 'Applying for a job.'],
  ['/api/health', 'Health', 'For monitors.'],
] as const

export const TAGS = CHAPTERS.map(([, name, description]) => ({ name, description }))

/** The chapter a call belongs to. */
export function tagOf({ path }: Pick<Endpoint, 'path'>): string {
  const fitting = CHAPTERS.filter(([start]) => path.startsWith(start))
  const [closest] = fitting.toSorted(([one], [other]) => other.length - one.length)
  return closest?.[1] ?? 'Other'
}
