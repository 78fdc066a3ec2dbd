import { and, asc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { mails } from '../../db/schema/records.ts'
import type { Context } from '../context.ts'
import { hours, minutes, seconds } from '../time.ts'
import type { OutgoingMail } from '../ports/mailer.ts'
import { renderMail } from './render.ts'

/** After this long another run may send the mails of one that died. */
const LEASE_MS = minutes(2)
const GIVE_UP_AFTER_MS = hours(24)
const BATCH_SIZE = 20

type Mail = typeof mails.$inferSelect

/**
 * Sends what is due. Mails are claimed in the statement that picks them, so two runs at once never
 * send the same one; a failure is tried again with growing pauses and given up after 24 hours.
 */
export async function deliverDueMail(ctx: Context): Promise<void> {
  const [claimed] = await ctx.db.batch([claim(ctx)])
  const outcomes = await Promise.all(claimed.map((mail) => trySend(ctx, mail)))
  const [first, ...rest] = outcomes.map((outcome) => note(ctx, outcome))
  if (first !== undefined) await ctx.db.batch([first, ...rest])
}

function claim({ db, now }: Context) {
  const due = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(lte(mails.dueAt, now), or(isNull(mails.claimedUntil), lte(mails.claimedUntil, now))))
    .orderBy(asc(mails.dueAt))
    .limit(BATCH_SIZE)
  return db
    .update(mails)
    .set({ claimedUntil: now + LEASE_MS, attempts: sql`${mails.attempts} + 1` })
    .where(inArray(mails.id, due))
    .returning()
}

interface Outcome {
  mail: Mail
  /** The name of the error; null when the mail was accepted. */
  fault: string | null
  /** False when the mail can never be sent, because its payload is invalid. */
  isReadable: boolean
}

async function trySend(ctx: Context, mail: Mail): Promise<Outcome> {
  const outgoing = renderOrNull(ctx, mail)
  if (outgoing === null) return { mail, fault: 'unreadable payload', isReadable: false }
  try {
    await ctx.mailer.send(outgoing)
    return { mail, fault: null, isReadable: true }
  } catch (error) {
    return { mail, fault: error instanceof Error ? error.name : 'unknown', isReadable: true }
  }
}

function renderOrNull(ctx: Context, mail: Mail): OutgoingMail | null {
  const { id, toAddress: to } = mail
  try {
    return { id, from: ctx.brand.mailFrom, to, ...renderMail(mail, ctx) }
  } catch {
    // The error would quote the payload, which may hold a secret.
    return null
  }
}

function note(ctx: Context, outcome: Outcome) {
  const { mail, fault } = outcome
  return fault === null ? markSent(ctx, mail) : markFailed(ctx, outcome, fault)
}

function markSent({ db, now, isLocal }: Context, mail: Mail) {
  return db
    .update(mails)
    .set({ sentAt: now, dueAt: null, claimedUntil: null, lastError: null, ...wiped(isLocal) })
    .where(eq(mails.id, mail.id))
}

/** Wipes the secret of a mail that was sent or given up. Payloads without a `secret` stay as they are. */
function wiped(isLocal: boolean) {
  if (isLocal) return {}
  const { payload } = mails
  return {
    payload: sql`iif(json_valid(${payload}), json_replace(${payload}, '$.secret', NULL), '{}')`,
  }
}

function markFailed(ctx: Context, { mail, isReadable }: Outcome, reason: string) {
  const isGivenUp = !isReadable || ctx.now - mail.createdAt >= GIVE_UP_AFTER_MS
  const fields = { mailId: mail.id, kind: mail.kind, attempts: mail.attempts, reason }
  if (isGivenUp) ctx.log.alert('mail given up', fields)
  else ctx.log.info('mail not taken', fields)
  return ctx.db
    .update(mails)
    .set({
      claimedUntil: null,
      lastError: reason,
      ...(isGivenUp
        ? { dueAt: null, failedAt: ctx.now, ...wiped(ctx.isLocal) }
        : { dueAt: ctx.now + pause(mail.attempts) }),
    })
    .where(eq(mails.id, mail.id))
}

/** 30 s, 1 min, 2 min … at most an hour. */
function pause(attempts: number): number {
  return Math.min(hours(1), seconds(30) * 2 ** Math.max(0, attempts - 1))
}
