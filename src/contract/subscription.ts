import { SubscriptionStatus, Tokens } from './account.ts'
import { defineEndpoint, success } from './endpoint.ts'
import { Instant } from './text.ts'
import { z } from './zod.ts'

export const Subscription = z.object({
  status: SubscriptionStatus,
  plan: z.string().max(40).nullable(),
  currentPeriodStart: Instant.nullable(),
  currentPeriodEnd: Instant.nullable(),
  /** True when the user has cancelled the plan; it stays active until its period ends. */
  cancelAtPeriodEnd: z.boolean(),
  /** When the payment of the plan was refunded or disputed, for a plan that is past due. */
  takenBackAt: Instant.nullable(),
})
export type Subscription = z.infer<typeof Subscription>

export const currentSubscriptionEndpoint = defineEndpoint({
  id: 'currentSubscription',
  method: 'GET',
  path: '/api/subscription/current',
  access: 'session',
  success: success({ subscription: Subscription, tokens: Tokens }),
})

export const cancelSubscriptionEndpoint = defineEndpoint({
  id: 'cancelSubscription',
  method: 'POST',
  path: '/api/subscription/cancel',
  access: 'session',
  success: success({ subscription: Subscription }),
  errors: ['NOTHING_TO_CHANGE'],
  limit: 'change',
})

export const reactivateSubscriptionEndpoint = defineEndpoint({
  id: 'reactivateSubscription',
  method: 'POST',
  path: '/api/subscription/reactivate',
  access: 'session',
  success: success({ subscription: Subscription }),
  errors: ['NOTHING_TO_CHANGE'],
  limit: 'change',
})
