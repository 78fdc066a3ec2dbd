import { and, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { insertFrom, previousChangedOne } from '../../db/insert-from.ts'
import { mailedLinks } from '../../db/schema/sessions.ts'
import {
  NOT_ME_LINK_DAYS,
  REFUND_LINK_HOURS,
  RESET_LINK_HOURS,
  VERIFY_LINK_HOURS,
} from '../../../src/contract/limits.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { sha256Hex, toBase64Url } from '../encoding.ts'
import { requireRow } from '../api-error.ts'
import { days, hours } from '../time.ts'
import { enqueueMailFrom, type NewMailFrom } from '../mail/outbox.ts'
import type { MailKind } from '../mail/render.ts'
import { hadFactor } from '../account/has-factor.ts'
import { countMail, hasMailLeft, unverifiedMails } from '../account/unverified-mails.ts'

const SECRET_BYTES = 32

const LIFETIMES = {
  verify: hours(VERIFY_LINK_HOURS),
  reset: hours(RESET_LINK_HOURS),
  not_me: days(NOT_ME_LINK_DAYS),
  not_my_factor: days(NOT_ME_LINK_DAYS),
  refund: hours(REFUND_LINK_HOURS),
}

export interface MailedLink {
  purpose: keyof typeof LIFETIMES
  /** 256 random bits. Only the mail holds them, until it is sent. */
  secret: string
  secretHash: string
  expiresAt: number
  /** For the mail about a factor that its batch has removed: the account had a second step before. */
  followsRemoval?: boolean
}

/** Makes the secret of a mailed link, and its hash. */
export async function newMailedLink(
  ctx: Context,
  purpose: MailedLink['purpose'],
): Promise<MailedLink> {
  const secret = toBase64Url(ctx.randomBytes(SECRET_BYTES))
  return {
    purpose,
    secret,
    secretHash: await sha256Hex(secret),
    expiresAt: ctx.now + LIFETIMES[purpose],
  }
}

/** The statement that stores a link for each row of `source`, a FROM clause over `users`. */
export function storeLinkFrom({ db, now }: Context, link: MailedLink, source: SQL) {
  const { secretHash, purpose, expiresAt, followsRemoval = false } = link
  const user = { userId: sql`${users.id}`, emailKey: sql`${users.emailKey}` }
  const row = { secretHash, purpose, ...user, createdAt: now, expiresAt }
  const isAsked = purpose === 'not_me' && !followsRemoval
  const hadSecondStep = isAsked ? hadFactor(now) : true
  return db.run(insertFrom(mailedLinks, { ...row, hadSecondStep }, source))
}

/** In SQL, whether a row of `mailed_links` has this secret and one of these purposes, and still works. */
export function isUsableLink(
  { now }: Context,
  secretHash: string,
  ...purposes: MailedLink['purpose'][]
) {
  return and(
    eq(mailedLinks.secretHash, secretHash),
    inArray(mailedLinks.purpose, purposes),
    isNull(mailedLinks.usedAt),
    isNull(mailedLinks.voidedAt),
    gt(mailedLinks.expiresAt, now),
  )
}

/** The link that satisfies a condition, with its account, if that still has the address it was mailed to. */
export function linkQuery({ db }: Context, condition: SQL | undefined) {
  return db
    .select({
      userId: users.id,
      email: users.email,
      emailKey: users.emailKey,
      username: users.username,
      googleSubject: users.googleSubject,
      hadSecondStep: mailedLinks.hadSecondStep,
      createdAt: mailedLinks.createdAt,
    })
    .from(mailedLinks)
    .innerJoin(
      users,
      and(eq(users.id, mailedLinks.userId), eq(users.emailKey, mailedLinks.emailKey)),
    )
    .where(and(condition, isNull(users.deletedAt)))
}

/** The link that satisfies a condition, with its account. LINK_INVALID, with this message, when there is none. */
export async function requireLink(ctx: Context, condition: SQL | undefined, message: string) {
  const { links } = await ctx.db.batch({ links: linkQuery(ctx, condition) })
  return requireRow(links, 'LINK_INVALID', message)
}

/** The mails that report a change to the sign-in methods of an account. Each has a link that says "This was not me". */
export const SECURITY_MAILS = [
  'password_changed',
  'new_device',
  'factor_changed',
  'mails_changed',
  'device_approved',
  'google_connected',
] as const satisfies readonly MailKind[]

interface SecurityMail<Kind extends (typeof SECURITY_MAILS)[number]> {
  kind: Kind
  /** `secret` belongs to the link with which the reader can say "This was not me". */
  payload: (secret: string) => NewMailFrom<Kind>['payload']
  user: { id: string; email: string }
  /** A FROM and WHERE, or a WHERE alone, that yields one row or none. */
  source: SQL
  followsRemoval?: boolean
  id?: string
}

/**
 * The statements that write a security mail for the row of `source`, and, each only if the one before it wrote a row, store its
 * link and count it. An unverified address may be a stranger's, so its daily limit of mails holds. An account that was deleted
 * meanwhile gets none.
 */
export async function securityMail<Kind extends (typeof SECURITY_MAILS)[number]>(
  ctx: Context,
  { id = ctx.newId('mail'), ...mail }: SecurityMail<Kind>,
) {
  const { kind, payload, user, source, followsRemoval = false } = mail
  const link = { ...(await newMailedLink(ctx, 'not_me')), followsRemoval }
  const count = await unverifiedMails(ctx, user.email)
  const account = sql`FROM ${users} WHERE ${users.id} = ${user.id}`
  const mayBeMailed = sql`EXISTS (SELECT 1 ${account} AND ${users.deletedAt} IS NULL
    AND (${users.emailVerifiedAt} IS NOT NULL OR ${hasMailLeft(count)}))`
  const mailed = sql`${account} AND ${previousChangedOne}`
  return [
    enqueueMailFrom(
      ctx,
      { id, kind, payload: payload(link.secret), to: user.email, userId: user.id },
      sql`${source} AND ${mayBeMailed}`,
    ),
    storeLinkFrom(ctx, link, mailed),
    ...countMail(ctx, count, sql`${mailed} AND ${users.emailVerifiedAt} IS NULL`),
  ] as const
}
