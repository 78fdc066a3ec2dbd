import { type SQL, sql } from 'drizzle-orm'
import { insertFrom } from '../../db/insert-from.ts'
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
import { days, hours } from '../time.ts'

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
}

/** Makes the secret of a mailed link, and its hash. */
export async function newMailedLink(
  ctx: Pick<Context, 'now' | 'randomBytes'>,
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
  const { secretHash, purpose, expiresAt } = link
  const user = { userId: sql`${users.id}`, emailKey: sql`${users.emailKey}` }
  return db.run(
    insertFrom(mailedLinks, { secretHash, purpose, ...user, createdAt: now, expiresAt }, source),
  )
}
