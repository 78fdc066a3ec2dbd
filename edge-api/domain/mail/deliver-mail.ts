import {
  REFUND_LINK_HOURS,
  RESET_LINK_HOURS,
  VERIFY_LINK_HOURS,
} from '../../../src/contract/limits.ts'
import { and, asc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { asciiAddress } from '../../../src/contract/text.ts'
import { mails } from '../../db/schema/records.ts'
import type { Context } from '../context.ts'
import { hours, minutes, seconds } from '../time.ts'
import type { OutgoingMail } from '../ports/mailer.ts'

/** The fault of a mail that this release cannot render: not the provider's. */
const UNREADABLE = 'unreadable payload'

/** After this long another run may send the mails that a dead run had claimed. A send ends long before. */
const LEASE_MS = minutes(2)
const GIVE_UP_AFTER_MS = hours(24)
const BATCH_SIZE = 20

/** Cloudflare's code for an address that rejects mail, as it did before: trying again cannot help. */
const REJECTED_FOR_GOOD = 'E_RECIPIENT_SUPPRESSED'

/** Cloudflare's codes for limits, which end by themselves. */
const LIMITED = ['E_RATE_LIMIT_EXCEEDED', 'E_DAILY_LIMIT_EXCEEDED']

/** Mails that are useless once their link has expired. Other mails also say something without it. */
const LINK_HOURS = new Map([
  ['verify_address', VERIFY_LINK_HOURS],
  ['address_corrected', VERIFY_LINK_HOURS],
  ['reset_password', RESET_LINK_HOURS],
  ['refund_link', REFUND_LINK_HOURS],
])

type Mail = typeof mails.$inferSelect

/**
 * Sends due mail, batch after batch, until nothing is due or the run's time is over. The statement that picks mails
 * also claims them, so two runs at once never send the same one, and each is marked soon after its send. A failed mail
 * is tried again with growing pauses. It is given up after 24 hours, unless the provider's limit was the reason, or at
 * once when its address rejects mail or its link has expired. Without `runMs` one batch is sent, because work after an answer is cut off after 30 seconds.
 */
export async function deliverDueMail(ctx: Context, { runMs = 0 } = {}): Promise<void> {
  const endsAt = ctx.clock() + runMs
  do {
    const [claimed] = await ctx.db.batch([claim(ctx)])
    if (claimed.length === 0) return
    const mark = markInTurn(ctx)
    const sends = await Promise.allSettled(
      claimed.map(async (mail) => {
        const outcome = await trySend(ctx, mail)
        await mark(outcome)
        return outcome
      }),
    )
    const outcomes = sends.map((send) => {
      if (send.status === 'rejected') throw send.reason
      return send.value
    })
    await alertIfNoneLeaves(ctx, outcomes)
  } while (ctx.clock() < endsAt)
}

/**
 * A function that stores the outcome of a send. It writes one batch after another, each with all that waits by then: a write for
 * each at once would hold up all other writes (docs/decisions/0011-sqld-checkpoints-by-time.md).
 */
function markInTurn(ctx: Context): (outcome: Outcome) => Promise<void> {
  const waiting: Outcome[] = []
  let stored = Promise.resolve()
  const storeWaiting = async () => {
    const outcomes = waiting.splice(0)
    // A batch before this one may have stored them all.
    if (outcomes.length === 0) return
    await ctx.db.batch({ marks: outcomes.map((outcome) => note(ctx, outcome)) })
  }
  return (outcome) => {
    waiting.push(outcome)
    stored = stored.then(storeWaiting, storeWaiting)
    return stored
  }
}

/**
 * Alerts when every mail of a batch was rejected, one of them for the second time, and none was sent since that one was
 * written. After a deployment that sends no mail any more, the alert comes within two minutes.
 */
async function alertIfNoneLeaves(ctx: Context, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.some(({ fault }) => fault === null)) return
  const again = outcomes.find(
    ({ mail, fault, canBeSent }) => canBeSent && fault !== UNREADABLE && mail.attempts > 1,
  )
  if (again === undefined) return
  const lastSent = sql<number | null>`max(${mails.sentAt})`
  const [rows] = await ctx.db.batch([ctx.db.select({ lastSent }).from(mails)])
  if ((rows[0]?.lastSent ?? 0) >= again.mail.createdAt) return
  ctx.log.alert('no mail leaves', { refused: outcomes.length, reason: again.fault })
}

function claim({ db, clock }: Context) {
  const now = clock()
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
  /** False when the mail can never be sent, because its link has expired. */
  canBeSent: boolean
}

async function trySend(ctx: Context, mail: Mail): Promise<Outcome> {
  const lifetime = hours(LINK_HOURS.get(mail.kind) ?? Infinity)
  if (ctx.clock() - mail.createdAt >= lifetime)
    return { mail, fault: 'its link has expired', canBeSent: false }
  const outgoing = await renderOrNull(ctx, mail)
  // Perhaps a newer release wrote it, and this one came back by a rollback.
  if (outgoing === null) return { mail, fault: UNREADABLE, canBeSent: true }
  try {
    await ctx.mailer.send(outgoing)
    return { mail, fault: null, canBeSent: true }
  } catch (error) {
    return { mail, fault: faultOf(error), canBeSent: true }
  }
}

/** The provider's code, such as E_RATE_LIMIT_EXCEEDED, or the error's name. Never its message, which may quote the mail. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error ? error.code : null
  return typeof code === 'string' && /^E_\w+$/.test(code) ? code : error.name
}

async function renderOrNull(ctx: Context, mail: Mail): Promise<OutgoingMail | null> {
  // The texts are loaded when a mail is sent.
  const { renderMail } = await import('./render.ts')
  const { id } = mail
  const to = asciiAddress(mail.toAddress)
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

function markSent({ db, clock, isLocal }: Context, mail: Mail) {
  return db
    .update(mails)
    .set({ sentAt: clock(), dueAt: null, claimedUntil: null, lastError: null, ...wiped(isLocal) })
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

function markFailed(ctx: Context, { mail, canBeSent }: Outcome, reason: string) {
  const now = ctx.clock()
  const isTooOld = now - mail.createdAt >= GIVE_UP_AFTER_MS && !LIMITED.includes(reason)
  const isGivenUp = !canBeSent || reason === REJECTED_FOR_GOOD || isTooOld
  const fields = { mailId: mail.id, kind: mail.kind, attempts: mail.attempts, reason }
  if (isGivenUp) ctx.log.alert('mail given up', fields)
  else ctx.log.info('mail not sent', fields)
  return ctx.db
    .update(mails)
    .set({
      claimedUntil: null,
      lastError: reason,
      ...(isGivenUp
        ? { dueAt: null, failedAt: now, ...wiped(ctx.isLocal) }
        : { dueAt: now + pause(mail.attempts) }),
    })
    .where(eq(mails.id, mail.id))
}

/** The pause after the first failure is 30 s, after the second 1 min, then 2, 4, 8 … and at most 60 min. */
function pause(attempts: number): number {
  return Math.min(hours(1), seconds(30) * 2 ** Math.max(0, attempts - 1))
}
