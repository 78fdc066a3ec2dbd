import { Tokens } from './account.ts'
import { defineEndpoint, success } from './endpoint.ts'
import { CURSOR_MAX, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './limits.ts'
import { Id, Instant, Month } from './text.ts'
import { z } from './zod.ts'

/** The modes of the desktop app. */
export const UsageMode = z.enum(['interview', 'meeting', 'sales', 'negotiation'])
export type UsageMode = z.infer<typeof UsageMode>

export const UsageDay = z.object({ day: z.iso.date(), tokens: z.int() })

export const usageEndpoint = defineEndpoint({
  id: 'usage',
  method: 'GET',
  path: '/api/usage',
  access: 'session',
  query: z.object({ days: z.coerce.number().int().min(1).max(90).default(30) }),
  success: success({
    tokens: Tokens,
    days: z.array(UsageDay).max(90),
    sessions: z.object({
      completed: z.int(),
      /** Share of rated sessions that helped, in whole percent; 0 when users rated none. */
      successRatePercent: z.int(),
      secondsSaved: z.int(),
    }),
    /** What a new user has done so far, besides what `me` says. */
    newcomer: z.object({
      /** Trial tokens that were granted; 0 when none were. */
      trialTokens: z.int(),
      /** Whether a desktop app is or was signed in. */
      hasDesktopApp: z.boolean(),
    }),
  }),
})

/** Newest first; `cursor` is the `nextCursor` of the previous page. */
export const PageQuery = z.object({
  cursor: z.string().max(CURSOR_MAX).optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT),
})

/** Why a balance changed: a purchase, the trial, use, money that went back, money that came back, our support by hand. */
export const LedgerKind = z.enum(['grant', 'trial', 'use', 'reversal', 'restoration', 'adjustment'])
export type LedgerKind = z.infer<typeof LedgerKind>

export const LedgerEntry = z.object({
  id: z.string().max(200),
  kind: LedgerKind,
  /** The change in the remaining tokens; negative when the entry takes tokens. */
  tokens: z.int(),
  purchaseId: Id.nullable(),
  /** What was bought; null for use, trial and what our support gave or took. */
  item: z.string().max(60).nullable(),
  sessionId: z.string().max(64).nullable(),
  mode: UsageMode.nullable(),
  createdAt: Instant,
})
export type LedgerEntry = z.infer<typeof LedgerEntry>

export const ledgerEndpoint = defineEndpoint({
  id: 'ledger',
  method: 'GET',
  path: '/api/usage/ledger',
  access: 'session',
  query: PageQuery.extend({
    /** In UTC, as the days of usage are: "2026-11". */
    month: Month.optional(),
    kind: LedgerKind.optional(),
  }),
  success: success({
    entries: z.array(LedgerEntry).max(PAGE_SIZE_MAX),
    nextCursor: z.string().max(CURSOR_MAX).nullable(),
  }),
})
