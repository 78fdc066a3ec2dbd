import { Tokens } from './account.ts'
import { defineEndpoint, success } from './endpoint.ts'
import { LEDGER_KINDS, USAGE_MODES } from './kinds.ts'
import { CURSOR_MAX, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './limits.ts'
import { Id, Instant, Month } from './text.ts'
import { z } from './zod.ts'

export const UsageMode = z.enum(USAGE_MODES)
export type UsageMode = z.infer<typeof UsageMode>

/** Tokens by mode. The desktop app may leave the mode out, so the sum of a day can be more. */
export const TokensByMode = z.object({
  interview: z.int(),
  meeting: z.int(),
  sales: z.int(),
  negotiation: z.int(),
})
export type TokensByMode = z.infer<typeof TokensByMode>

export const UsageDay = z.object({ day: z.iso.date(), tokens: z.int(), byMode: TokensByMode })
export type UsageDay = z.infer<typeof UsageDay>

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
      /** Whether verifying an address brings trial tokens at present. */
      isTrialOn: z.boolean(),
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

export const LedgerKind = z.enum(LEDGER_KINDS)
export type LedgerKind = z.infer<typeof LedgerKind>

export const LedgerEntry = z.object({
  id: z.string().max(200),
  kind: LedgerKind,
  /** The change in the remaining tokens; negative when the entry takes tokens. */
  tokens: z.int(),
  purchaseId: Id.nullable(),
  /** What was bought; null for use, trial and adjustments by support. */
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

/** How many ledger entries the lines of one page of a statement sum up. */
export const STATEMENT_PAGE = 1_000

/** An entry of the ledger, or all uses of one session, mode and day as one. */
export const StatementLine = LedgerEntry.extend({
  /** The number of entries in it. */
  count: z.int(),
  /** When the first of them was entered; `createdAt` says when the last was. */
  firstAt: Instant,
})
export type StatementLine = z.infer<typeof StatementLine>

export const statementEndpoint = defineEndpoint({
  id: 'statement',
  method: 'GET',
  path: '/api/usage/statement',
  access: 'session',
  query: z.object({
    /** In UTC; the current month when left out. */
    month: Month.optional(),
    /** The `nextCursor` of the page before. */
    cursor: z.string().max(CURSOR_MAX).optional(),
  }),
  success: success({
    month: Month,
    /** The month that it is now. A reader's clock may say another. */
    currentMonth: Month,
    /** The tokens left when the month began, and when it ended or now. */
    opening: z.int(),
    closing: z.int(),
    /** The tokens used in the month, and by which modes. */
    used: z.int(),
    byMode: TokensByMode,
    /** Of this page, newest first. A session of which the page before has a line goes on with another. */
    lines: z.array(StatementLine).max(STATEMENT_PAGE),
    /** False when the month has older lines. */
    isWhole: z.boolean(),
    nextCursor: z.string().max(CURSOR_MAX).nullable(),
  }),
  limit: 'statement',
})

export const ledgerFileEndpoint = defineEndpoint({
  id: 'ledgerFile',
  method: 'GET',
  path: '/api/usage/ledger-file',
  access: 'session',
  query: z.object({
    /** In UTC; all months when left out. */
    month: Month.optional(),
  }),
  success: success({ csv: z.string().max(1e8) }),
  limit: 'statement',
  isStreamed: true,
})
