import { z } from './zod.ts'

export const CURRENCIES = ['USD', 'INR'] as const

export const Currency = z.enum(CURRENCIES)
export type Currency = z.infer<typeof Currency>

export const DEFAULT_CURRENCY = 'USD' satisfies Currency
