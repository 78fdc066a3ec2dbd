import { Subscription, Tokens } from './account.ts'
import { defineEndpoint, success } from './endpoint.ts'

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
