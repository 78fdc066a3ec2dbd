import { TRIAL_TOKENS } from '../../src/contract/answers.ts'
import { MAIN_PLAN, majorAmount, TOKEN_PACK } from '../../src/contract/catalogue.ts'
import { DOWNLOAD, TOAST } from '../../src/contract/messages.ts'
import type { Example } from './document-shape.ts'

const PRICE = majorAmount(MAIN_PLAN.priceMinor.USD)
const PLAN = {
  id: MAIN_PLAN.sku,
  name: MAIN_PLAN.name,
  price: PRICE,
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
  takenBackAt: null,
}
const TOKENS = { used: 120_000, total: 1_000_000 }
const BY_MODE = { interview: 0, meeting: 1_200, sales: 0, negotiation: 0 }
const USE_KEY = '0192f1c0-3d52-7f5e-8d2b-6f1f1c2b7a10'
const SESSION_ID = 'meeting-2026-11-02-a'

export const USAGE_EXAMPLES: Readonly<Record<string, Example>> = {
  appPolicy: {
    summary: 'Which versions of the desktop app may be used',
    success: {
      success: true,
      minimum: '1.2.0',
      withdrawn: [{ version: '1.3.0', reason: 'It was visible to others in shared screens.' }],
      latest: { mac: '1.3.1', windows: '1.3.1' },
    },
  },
  mailDownload: {
    summary: 'Email the link to the downloads to the own, verified address; three times a day',
    success: { success: true, message: DOWNLOAD.mailed },
  },
  announcement: {
    summary: 'What the site tells everyone for a while; null most of the time',
    success: {
      success: true,
      announcement: {
        version: 3,
        text: 'On Sunday from 02:00 to 03:00 UTC nothing can be bought.',
        until: '2026-11-08T03:00:00.000Z',
      },
    },
  },
  planAmounts: {
    summary: 'Amount of every plan in a currency, in major units',
    query: { currency: 'USD' },
    success: { success: true, planAmounts: { [MAIN_PLAN.sku]: PRICE } },
  },
  plans: {
    summary: 'Plans, keyed by plan type',
    query: { currency: 'USD' },
    success: { success: true, plans: { [MAIN_PLAN.sku]: PLAN } },
  },
  plansWithPricing: {
    summary: 'Plans as a list, and what a token pack costs',
    query: { currency: 'USD' },
    success: {
      success: true,
      plans: [PLAN],
      tokenPack: {
        price: majorAmount(TOKEN_PACK.priceMinor.USD),
        currency: 'USD',
        tokens: TOKEN_PACK.tokens,
      },
    },
  },
  currentSubscription: {
    summary: 'Plan, period and tokens',
    success: { success: true, subscription: SUBSCRIPTION, tokens: TOKENS },
  },
  cancelSubscription: {
    summary: 'Let the plan end with its period',
    success: {
      success: true,
      message: TOAST.cancelled,
      subscription: { ...SUBSCRIPTION, cancelAtPeriodEnd: true },
    },
  },
  reactivateSubscription: {
    summary: 'Undo a cancellation while the period runs',
    success: { success: true, message: TOAST.reactivated, subscription: SUBSCRIPTION },
  },
  useTokens: {
    summary: 'Spend tokens; with an Idempotency-Key a retry spends once',
    body: { amount: 1_200, sessionId: SESSION_ID, mode: 'meeting' },
    success: { success: true, used: 1_200, tokens: { used: 121_200, total: 1_000_000 } },
  },
  useTokensBatch: {
    summary:
      'Spend tokens for a queue of uses, in any order and more than once; each key counts once',
    body: {
      uses: [
        { idempotencyKey: USE_KEY, amount: 1_200, sessionId: SESSION_ID, mode: 'meeting' },
        { idempotencyKey: `${USE_KEY}-2`, amount: 800 },
      ],
    },
    success: {
      success: true,
      results: [
        { idempotencyKey: USE_KEY, outcome: 'used' },
        { idempotencyKey: `${USE_KEY}-2`, outcome: 'insufficient_tokens' },
      ],
      tokens: { used: 999_500, total: 1_000_000 },
    },
  },
  recordUsageSession: {
    summary: 'Start or end a usage session; repeating either changes nothing',
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
    summary: 'Tokens used per day (UTC) and what the sessions came to',
    query: { days: 30 },
    success: {
      success: true,
      tokens: TOKENS,
      days: [{ day: '2026-11-02', tokens: 1_200, byMode: BY_MODE }],
      sessions: { completed: 3, successRatePercent: 67, secondsSaved: 5_400 },
      newcomer: { trialTokens: TRIAL_TOKENS, isTrialOn: true, hasDesktopApp: true },
    },
  },
  ledger: {
    summary: 'Every change of the token balance, newest first; of one month (UTC) or kind if named',
    query: { limit: 20, month: '2026-11', kind: 'grant' },
    success: {
      success: true,
      entries: [
        {
          id: 'grant:pur_01k9zq3v7w8x9y0abcdefghjkm',
          kind: 'grant',
          tokens: 1_000_000,
          purchaseId: 'pur_01k9zq3v7w8x9y0abcdefghjkm',
          item: MAIN_PLAN.name,
          sessionId: null,
          mode: null,
          createdAt: '2026-11-02T09:41:00.000Z',
        },
      ],
      nextCursor: null,
    },
  },
  statement: {
    summary:
      'A month of the balance (UTC), a page at a time, newest first: a line for each session and day, and for each entry that is not a use',
    query: { month: '2026-11' },
    success: {
      success: true,
      month: '2026-11',
      currentMonth: '2026-11',
      opening: 20_000,
      closing: 18_800,
      used: 1_200,
      byMode: BY_MODE,
      lines: [
        {
          id: 'use:usr_01k9zq3v7w8x9y0abcdefghjkm:0192f1c0',
          kind: 'use',
          tokens: -1_200,
          purchaseId: null,
          item: null,
          sessionId: SESSION_ID,
          mode: 'meeting',
          createdAt: '2026-11-02T10:12:00.000Z',
          count: 3,
          firstAt: '2026-11-02T10:00:00.000Z',
        },
      ],
      isWhole: true,
      nextCursor: null,
    },
  },
  ledgerFile: {
    summary: 'The ledger as a CSV file, streamed; of one month (UTC) if named',
    query: { month: '2026-11' },
    success: {
      success: true,
      csv: 'createdAt,kind,tokens,item,mode,sessionId,purchaseId,id\r\n2026-11-02T10:12:00.000Z,use,-1200,,,,,use:usr_01k9zq3v7w8x9y0abcdefghjkm:0192f1c0\r\n',
    },
  },
}
