import { MAIN_PLAN, TOKEN_PACK } from '../../../src/contract/catalogue.ts'
import { TOAST } from '../../../src/contract/messages.ts'
import type { Example } from './document-shape.ts'

const PLAN = {
  id: MAIN_PLAN.sku,
  name: MAIN_PLAN.name,
  price: 35,
  currency: 'USD',
  tokens: MAIN_PLAN.tokens,
  accessDays: MAIN_PLAN.accessDays,
  features: MAIN_PLAN.features,
}

const SUBSCRIPTION = {
  status: 'active',
  plan: MAIN_PLAN.sku,
  currentPeriodStart: '2026-11-02T09:41:00.000Z',
  currentPeriodEnd: '2027-11-02T09:41:00.000Z',
  cancelAtPeriodEnd: false,
}
const TOKENS = { used: 120_000, total: 1_000_000 }
const SESSION_ID = 'meeting-2026-11-02-a'

export const USAGE_EXAMPLES: Readonly<Record<string, Example>> = {
  planAmounts: {
    query: { currency: 'USD' },
    success: { success: true, planAmounts: { [MAIN_PLAN.sku]: 35 } },
  },
  plans: {
    query: { currency: 'USD' },
    success: { success: true, plans: { [MAIN_PLAN.sku]: PLAN } },
  },
  plansWithPricing: {
    query: { currency: 'USD' },
    success: {
      success: true,
      plans: [PLAN],
      tokenPack: { price: 25, currency: 'USD', tokens: TOKEN_PACK.tokens },
    },
  },
  currentSubscription: {
    success: { success: true, subscription: SUBSCRIPTION, tokens: TOKENS },
  },
  cancelSubscription: {
    success: {
      success: true,
      message: TOAST.cancelled,
      subscription: { ...SUBSCRIPTION, cancelAtPeriodEnd: true },
    },
  },
  reactivateSubscription: {
    success: { success: true, message: TOAST.reactivated, subscription: SUBSCRIPTION },
  },
  useTokens: {
    body: { amount: 1_200, sessionId: SESSION_ID, mode: 'meeting' },
    success: { success: true, used: 1_200, tokens: { used: 121_200, total: 1_000_000 } },
  },
  recordUsageSession: {
    body: { event: 'start', sessionId: SESSION_ID, mode: 'meeting' },
    success: {
      success: true,
      session: {
        sessionId: SESSION_ID,
        mode: 'meeting',
        startedAt: '2026-11-02T10:00:00.000Z',
        endedAt: null,
        succeeded: null,
        secondsSaved: 0,
        tokensUsed: 0,
      },
    },
  },
  usage: {
    query: { days: 30 },
    success: {
      success: true,
      tokens: TOKENS,
      days: [{ day: '2026-11-02', tokens: 1_200 }],
      sessions: { completed: 3, successRatePercent: 67, secondsSaved: 5_400 },
    },
  },
  ledger: {
    query: { limit: 20 },
    success: {
      success: true,
      entries: [
        {
          id: 'grant:pur_01k9zq3v7w8x9y0abcdefghjkm',
          kind: 'grant',
          tokens: 1_000_000,
          purchaseId: 'pur_01k9zq3v7w8x9y0abcdefghjkm',
          sessionId: null,
          mode: null,
          createdAt: '2026-11-02T09:41:00.000Z',
        },
      ],
      nextCursor: null,
    },
  },
}
