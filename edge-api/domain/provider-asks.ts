import { minutes, seconds } from './time.ts'

const ORDER_MS = seconds(2)
const ACCOUNT_MS = minutes(1)
const PER_ACCOUNT = 12

/**
 * How often one isolate asks Razorpay because a user requests it without a signature of a payment: about an order every two
 * seconds, for an account twelve times a minute.
 */
export class ProviderAsks {
  private lastMinute: { id: string; userId: string; at: number }[] = []

  /** Whether Razorpay may be asked about a purchase at `now` (milliseconds UTC). Counts it as asked. */
  admits({ id, userId }: { id: string; userId: string }, now: number): boolean {
    this.lastMinute = this.lastMinute.filter(({ at }) => at > now - ACCOUNT_MS)
    const ofAccount = this.lastMinute.filter((ask) => ask.userId === userId)
    const isRecent = ofAccount.some((ask) => ask.id === id && ask.at > now - ORDER_MS)
    if (isRecent || ofAccount.length >= PER_ACCOUNT) return false
    this.lastMinute.push({ id, userId, at: now })
    return true
  }
}
