import { and, eq } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { creditNotes } from '../../db/schema/purchases.ts'

/** The credit note that a row of `credit_notes` cancels. */
export const cancelledNote = alias(creditNotes, 'cancelled')

/** Joins `cancelledNote`; only a cancellation has one. */
export const isCancelledNote = and(
  eq(creditNotes.isCancellation, true),
  eq(cancelledNote.refundId, creditNotes.refundId),
  eq(cancelledNote.isCancellation, false),
)
