/*
 * Closed lists that pages need without a schema. Their schemas are in currency.ts and usage.ts; a file with schemas brings
 * zod along.
 */

export const CURRENCIES = ['USD', 'INR'] as const
export const DEFAULT_CURRENCY = 'USD' satisfies (typeof CURRENCIES)[number]

/** The modes of the desktop app. */
export const USAGE_MODES = ['interview', 'meeting', 'sales', 'negotiation'] as const

/**
 * Why a balance changed: a purchase, the trial, use, refunded or disputed money, money that came back, an adjustment by support.
 */
export const LEDGER_KINDS = [
  'grant',
  'trial',
  'use',
  'reversal',
  'restoration',
  'adjustment',
] as const
