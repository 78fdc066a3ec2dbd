import { and, eq, gt, isNull, type SQL } from 'drizzle-orm'
import type { SecondStep } from '../../../src/contract/endpoint.ts'
import { FACTOR } from '../../../src/contract/factor.ts'
import { insertFrom } from '../../db/insert-from.ts'
import { signInTickets } from '../../db/schema/sessions.ts'
import type { Context } from '../context.ts'
import { sha256Hex, toBase64Url } from '../encoding.ts'
import { ApiError } from '../api-error.ts'
import { minutes, toIso } from '../time.ts'

const SECOND_STEP_MS = minutes(5)

interface FirstStep {
  /** Who passed it; the factors are 1 or 0. */
  user: { id: string; hasTotp: number; hasPasskey: number }
  isRemembered: boolean
  /** A FROM or WHERE clause: the ticket is stored for each of its rows. */
  source: SQL
}

/** A ticket for the second step: the statement that stores it, and FACTOR_REQUIRED, which hands it to the browser. */
export async function newTicket(ctx: Context, { user, isRemembered, source }: FirstStep) {
  const ticket = toBase64Url(ctx.randomBytes(32))
  const expiresAt = ctx.now + SECOND_STEP_MS
  const row = {
    ticketHash: await sha256Hex(ticket),
    userId: user.id,
    purpose: 'second_step' as const,
    isRemembered,
    createdAt: ctx.now,
    expiresAt,
  }
  const methods: SecondStep['methods'] = ['recovery']
  if (user.hasTotp === 1) methods.unshift('totp')
  if (user.hasPasskey === 1) methods.unshift('passkey')
  const secondStep: SecondStep = { ticket, methods, expiresAt: toIso(expiresAt) }
  return {
    stored: ctx.db.run(insertFrom(signInTickets, row, source)),
    rejection: new ApiError('FACTOR_REQUIRED', FACTOR.required, { extra: { secondStep } }),
  }
}

type Purpose = (typeof signInTickets.$inferSelect)['purpose']

/** In SQL, whether a row of `signInTickets` is this ticket, still valid and not redeemed. */
export function isOpenTicket({ now }: Context, ticketHash: string, purpose: Purpose) {
  return and(
    eq(signInTickets.ticketHash, ticketHash),
    eq(signInTickets.purpose, purpose),
    isNull(signInTickets.redeemedAt),
    gt(signInTickets.expiresAt, now),
  )
}

/** The statement that redeems an open ticket, under a further condition if there is one. It returns a row if it did. */
export function redeemTicket(ctx: Context, ticketHash: string, purpose: Purpose, condition?: SQL) {
  return ctx.db
    .update(signInTickets)
    .set({ redeemedAt: ctx.now })
    .where(and(isOpenTicket(ctx, ticketHash, purpose), condition))
    .returning({ userId: signInTickets.userId })
}
