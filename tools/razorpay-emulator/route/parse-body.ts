import { z } from 'zod'
import { badRequest } from '../api-error.ts'

/** Parses a control request; what is wrong with it stands in the answer. */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw badRequest(z.prettifyError(parsed.error))
  return parsed.data
}
