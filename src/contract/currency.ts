import { CURRENCIES } from './kinds.ts'
import { z } from './zod.ts'

export const Currency = z.enum(CURRENCIES)
export type Currency = z.infer<typeof Currency>
