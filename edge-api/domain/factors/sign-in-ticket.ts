import { and, eq, gt, isNull, type SQL } from 'drizzle-orm'
import type { SecondStep } from '../../../src/contract/endpoint.ts'
import { FACTOR } from '../../../src/contract/factor.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { oneTimeCodes } from '../../db/schema/sessions.ts'
import type { Context } from '../context.ts'
import { sha256Hex, toBase64Url } from '../encoding.ts'
import { ApiError } from '../api-error.ts'
import { minutes, toIso } from '../time.ts'

const TICKET_MS = minutes(5)

/** A user who passed the first step. */
interface FirstStep {
  userId: string
  isRemembered: boolean
  /** 1 or 0. */
  hasTotp: number
  hasPasskey: number
}

/** The row of a ticket, and the rejection that hands it out instead of a session. */
export async function newTicket(ctx: Context, step: FirstStep) {
  const ticket = toBase64Url(ctx.randomBytes(32))
  const expiresAt = ctx.now + TICKET_MS
  const row = {
    codeHash: await sha256Hex(ticket),
    userId: step.userId,
    purpose: 'second_step' as const,
    isRemembered: step.isRemembered,
    createdAt: ctx.now,
    expiresAt,
  }
  const secondStep = { ticket, methods: methodsOf(step), expiresAt: toIso(expiresAt) }
  return {
    row,
    error: new ApiError('FACTOR_REQUIRED', FACTOR.required, { extra: { secondStep } }),
  }
}

function methodsOf({ hasTotp, hasPasskey }: FirstStep): SecondStep['methods'] {
  return [
    ...(hasPasskey === 1 ? (['passkey'] as const) : []),
    ...(hasTotp === 1 ? (['totp'] as const) : []),
    'recovery',
  ]
}

/** The statement that stores a ticket for each row of `source`, a FROM or WHERE clause. */
export function storeTicket(
  { db }: Context,
  { row }: Awaited<ReturnType<typeof newTicket>>,
  source: SQL,
) {
  return db.run(insertFrom(oneTimeCodes, row, source))
}

type Purpose = (typeof oneTimeCodes.$inferSelect)['purpose']

/** In SQL, whether a row of `oneTimeCodes` is this code, still valid and not redeemed. */
export function isOpenCode({ now }: Context, codeHash: string, purpose: Purpose) {
  return and(
    eq(oneTimeCodes.codeHash, codeHash),
    eq(oneTimeCodes.purpose, purpose),
    isNull(oneTimeCodes.redeemedAt),
    gt(oneTimeCodes.expiresAt, now),
  )
}

/** The statement that redeems an open code, under a further condition if there is one. It returns a row if it did. */
export function redeemCode(ctx: Context, codeHash: string, purpose: Purpose, condition?: SQL) {
  return ctx.db
    .update(oneTimeCodes)
    .set({ redeemedAt: ctx.now })
    .where(and(isOpenCode(ctx, codeHash, purpose), condition))
    .returning({ userId: oneTimeCodes.userId })
}
