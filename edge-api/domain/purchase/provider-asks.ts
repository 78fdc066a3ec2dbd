import { minutes, seconds } from '../time.ts'
import type { Purchase } from './find-purchase.ts'

const ORDER_MS = seconds(2)
const ACCOUNT_MS = minutes(1)
const PER_ACCOUNT = 12
/** Beyond this many accounts and orders, those not asked about within a minute are forgotten. */
const KEPT_MAX = 1_000

/**
 * How often one isolate asks Razorpay because a user requests it without a signature of a payment: about an order every two
 * seconds, for an account twelve times a minute.
 */
export class ProviderAsks {
  /** The instants of the asks within a minute, by purchase and by account. */
  private readonly asks = new Map<string, number[]>()

  /** Whether Razorpay may be asked about a purchase at `now` (milliseconds UTC). Counts it as asked. */
  admits({ id, userId }: Pick<Purchase, 'id' | 'userId'>, now: number): boolean {
    const ofOrder = this.within(id, now - ORDER_MS)
    const ofAccount = this.within(userId, now - ACCOUNT_MS)
    if (ofOrder.length > 0 || ofAccount.length >= PER_ACCOUNT) return false
    if (this.asks.size > KEPT_MAX) this.forgetOld(now - ACCOUNT_MS)
    this.asks.set(id, [now])
    this.asks.set(userId, [...ofAccount, now])
    return true
  }

  private within(key: string, since: number): number[] {
    return (this.asks.get(key) ?? []).filter((at) => at > since)
  }

  private forgetOld(since: number): void {
    for (const key of this.asks.keys()) {
      if (this.within(key, since).length === 0) this.asks.delete(key)
    }
  }
}
