import { Preferences, Profile, type User } from '../../../src/contract/account.ts'
import { BillingDetails } from '../../../src/contract/billing.ts'
import { toIso } from '../time.ts'
import type { Account } from './account-query.ts'
import { mustAcceptTerms } from './terms.ts'
import { subscriptionOf } from './plan.ts'

/** The account as its user sees it. The schemas take their columns from the row and leave the others out. */
export function toUser(account: Omit<Account, 'session'>, now: number): User {
  const { user } = account
  const latest = subscriptionOf(account, now)
  const { status, plan, currentPeriodEnd, cancelAtPeriodEnd, takenBackAt } = latest
  const fullName = [user.firstName, user.lastName].filter(Boolean).join(' ')
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    isEmailVerified: user.emailVerifiedAt !== null,
    createdAt: toIso(user.createdAt),
    phone: user.phone,
    firstName: user.firstName,
    lastName: user.lastName,
    profile: Profile.parse({ ...user, fullName: fullName === '' ? null : fullName }),
    subscription: { status, plan, currentPeriodEnd, cancelAtPeriodEnd, takenBackAt },
    tokens: { used: account.tokensUsed, total: account.tokensTotal },
    preferences: Preferences.parse(user),
    unreadNotices: account.unreadNotices,
    billing: user.billing === null ? null : BillingDetails.parse(JSON.parse(user.billing)),
    mustAcceptTerms: mustAcceptTerms(user, now),
  }
}
