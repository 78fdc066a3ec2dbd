import { z } from 'zod'
import { badRequest } from '../core/errors.ts'
import type { Notes } from '../core/entity.ts'

/** An integer of minor units. */
export const Amount = z.int({
  error: ({ input }) =>
    input === undefined ? 'amount: is required.' : 'The amount must be an integer.',
})

/** An optional text of limited length; null counts as left out. */
export function text(field: string, longest: number) {
  const error = `The ${field} must be a text of at most ${String(longest)} characters.`
  return z.string(error).max(longest, error).nullish()
}

/** At most 15 pairs of at most 256 characters. Empty notes become a list. */
export const NotesInput = z
  .union([z.record(z.string(), z.coerce.string().max(256)), z.array(z.never())], {
    error: 'The notes must be pairs of texts of at most 256 characters.',
  })
  .nullish()
  .refine((notes) => Object.keys(notes ?? {}).length <= 15, {
    error: 'The notes may not have more than 15 keys.',
  })
  .transform((notes): Notes => (notes && Object.keys(notes).length > 0 ? notes : []))

/** Parses a request of the REST API. Throws its first problem as Razorpay words it. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const extra = issues.find((issue) => issue.code === 'unrecognized_keys')?.keys[0]
  if (extra !== undefined) {
    throw badRequest(`${extra} is/are not required and should not be sent`, {
      field: extra,
      reason: 'extra_field_sent',
    })
  }
  const field = issues[0]?.path.join('.') ?? ''
  throw badRequest(issues[0]?.message ?? 'Invalid input', field ? { field } : {})
}

/** Checks what an order or a link asks for: at least 100 minor units, in INR or USD. */
export function requirePrice(
  amount: number,
  currency: string | undefined,
): { amount: number; currency: string } {
  if (amount < 100) {
    throw badRequest('Order amount less than minimum amount allowed', {
      step: 'order_creation',
      field: 'amount',
      reason: 'amount_less_than_minimum_amount',
    })
  }
  if (currency === undefined) throw badRequest('currency: is required.', { field: 'currency' })
  if (currency === 'INR' || currency === 'USD') return { amount, currency }
  throw badRequest('Currency is not supported', { step: 'order_creation', field: 'currency' })
}
