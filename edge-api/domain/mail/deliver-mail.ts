import { and, asc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { mails } from '../../db/schema/records.ts'
import type { Context } from '../context.ts'
import { hours, minutes, seconds } from '../time.ts'

/** A sender that died gives its mails free after this long. */
const LEASE_MS = minutes(2)
const GIVE_UP_AFTER_MS = hours(24)
const BATCH_SIZE = 20
const WIPED = '(wiped)'

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
  /** The name of what went wrong; null when the mail was taken. */
  fault: string | null
}

async function trySend(ctx: Context, mail: Mail): Promise<Outcome> {
  try {
    await ctx.mailer.send({
      id: mail.id,
      from: ctx.brand.mailFrom,
      to: mail.toAddress,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
    })
    return { mail, fault: null }
  } catch (error) {
    return { mail, fault: error instanceof Error ? error.name : 'unknown' }
  }
}

function note(ctx: Context, { mail, fault }: Outcome) {
  return fault === null ? markSent(ctx, mail) : markFailed(ctx, mail, fault)
}

function markSent({ db, now, isLocal }: Context, mail: Mail) {
  const wiped = wipe(mail, isLocal)
  return db
    .update(mails)
    .set({ sentAt: now, dueAt: null, claimedUntil: null, lastError: null, ...wiped })
    .where(eq(mails.id, mail.id))
}

/** A secret link is of no use to anybody here once its mail left, or never will. */
function wipe(mail: Mail, isLocal: boolean) {
  return mail.hasSecret && !isLocal ? { text: WIPED, html: WIPED } : {}
}

function markFailed(ctx: Context, mail: Mail, reason: string) {
  const isGivenUp = ctx.now - mail.createdAt >= GIVE_UP_AFTER_MS
  const fields = { mailId: mail.id, kind: mail.kind, attempts: mail.attempts, reason }
  if (isGivenUp) ctx.log.alert('mail given up', fields)
  else ctx.log.info('mail not taken', fields)
  return ctx.db
    .update(mails)
    .set({
      claimedUntil: null,
      lastError: reason,
      ...(isGivenUp
        ? { dueAt: null, failedAt: ctx.now, ...wipe(mail, ctx.isLocal) }
        : { dueAt: ctx.now + pause(mail.attempts) }),
    })
    .where(eq(mails.id, mail.id))
}

/** 30 s, 1 min, 2 min … at most an hour. */
function pause(attempts: number): number {
  return Math.min(hours(1), seconds(30) * 2 ** Math.max(0, attempts - 1))
}
