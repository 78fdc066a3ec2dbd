import type { purchases } from '../../db/schema/purchases.ts'

/** A purchase as it is stored. */
export type Purchase = typeof purchases.$inferSelect
