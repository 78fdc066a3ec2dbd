import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type {
  authorizeDeviceEndpoint,
  confirmDeviceEndpoint,
  deviceRequestEndpoint,
} from '../../../src/contract/device.ts'
import { previousChangedOne } from '../../db/insert-from.ts'
import { deviceRequests } from '../../db/schema/sessions.ts'
import { recordAfterAnswer } from '../account/record-event.ts'
import {
  type Account,
  accountQuery,
  readAccount,
  readAccountToAdd,
  requireSignedIn,
} from '../session/account-query.ts'
import { isOpenSession } from '../session/session.ts'
import { securityMail } from '../mailed-link/mailed-link.ts'
import type { Context } from '../context.ts'
import { sha256Hex, toBase64Url } from '../encoding.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { requireRow } from '../api-error.ts'
import { minutes, toIso } from '../time.ts'
import type { PublicHandler, SessionHandler } from '../handler.ts'

const LIFETIME_MS = minutes(10)
export const POLL_INTERVAL_SECONDS = 5

/** Issues the codes of a device sign-in (RFC 8628 §3.1). Only the hash of the device code is stored. */
export const authorizeDevice: PublicHandler<typeof authorizeDeviceEndpoint> = async (
  ctx,
  { body },
) => {
  const deviceCode = toBase64Url(ctx.randomBytes(32))
  const userCode = newUserCode(ctx.randomBytes)
  await ctx.db.batch([
    ctx.db.insert(deviceRequests).values({
      deviceCodeHash: await sha256Hex(deviceCode),
      userCode,
      clientName: body.client_name,
      decision: 'pending',
      createdAt: ctx.now,
      expiresAt: ctx.now + LIFETIME_MS,
    }),
  ])
  const shown = showUserCode(userCode)
  return {
    success: true,
    device_code: deviceCode,
    user_code: shown,
    verification_uri: `${ctx.origin}/device`,
    verification_uri_complete: `${ctx.origin}/device?code=${shown}`,
    expires_in: LIFETIME_MS / 1_000,
    interval: POLL_INTERVAL_SECONDS,
  }
}

/** The app that waits with this user code, or that the account has approved with it. */
export const showDeviceRequest: SessionHandler<typeof deviceRequestEndpoint> = async (
  ctx,
  { claims, params: { userCode } },
) => {
  const { userId } = claims
  const { accounts, rows } = await ctx.db.batch({
    accounts: accountQuery(ctx, claims),
    rows: ctx.db
      .select()
      .from(deviceRequests)
      .where(or(isWaiting(ctx, userCode), isConnectedTo(ctx, userId, userCode))),
  })
  requireSignedIn(accounts)
  const { clientName, expiresAt, decision } = requireRow(rows, 'NOT_FOUND', UNKNOWN_CODE)
  const isConnected = decision === 'approved'
  return { success: true, request: { clientName, expiresAt: toIso(expiresAt), isConnected } }
}

/**
 * Approves or denies the app. A code is decided once, by a browser; the account that approved it may do so again, which changes
 * nothing. An approval is mailed to the account, whatever its preferences.
 */
export const confirmDevice: SessionHandler<typeof confirmDeviceEndpoint> = async (ctx, call) => {
  const { userCode, approve } = call.body
  const account = await (approve ? readAccountToAdd : readAccount)(ctx, call.claims)
  const { user, session } = account
  const isOpen = isOpenSession({ ...call.claims, now: ctx.now })
  const { connected, decided } = await ctx.db.batch({
    connected: ctx.db
      .select({ clientName: deviceRequests.clientName })
      .from(deviceRequests)
      .where(isConnectedTo(ctx, user.id, userCode)),
    decided: ctx.db
      .update(deviceRequests)
      .set({
        decision: approve ? 'approved' : 'denied',
        userId: user.id,
        sessionId: session.id,
      })
      .where(and(isWaiting(ctx, userCode), isOpen))
      .returning({ clientName: deviceRequests.clientName }),
    mail: approve ? await mailApproval(ctx, account, userCode) : null,
  })
  const [known] = connected
  // A second press, or another tab.
  if (known !== undefined && approve)
    return { success: true, message: `${known.clientName} is already connected.` }
  const request = requireRow(decided, 'NOT_FOUND', UNKNOWN_CODE)
  if (approve) {
    const detail = { client: request.clientName }
    recordAfterAnswer(ctx, { userId: user.id, kind: 'device_connected', detail })
    ctx.waitUntil(() => deliverDueMail(ctx))
  }
  const message = approve
    ? `${request.clientName} is signed in. You can go back to it.`
    : `${request.clientName} was not connected.`
  return { success: true, message }
}

/** The mail about an approval, provided the statement before it in the batch approved the code. */
function mailApproval(ctx: Context, account: Account, userCode: string) {
  return securityMail(ctx, {
    kind: 'device_approved',
    payload: (secret) => ({ ...namesFor(account), secret }),
    user: account.user,
    source: sql`FROM ${deviceRequests} r WHERE r.user_code = ${userCode} AND ${previousChangedOne}`,
  })
}

/** Apps choose their names. An unverified address may be a stranger's, who must not read them. */
function namesFor({ user, session }: Account) {
  if (user.emailVerifiedAt !== null) return { client: sql`r.client_name`, device: session.device }
  return { client: 'Desktop app', device: 'one of its devices' }
}

const UNKNOWN_CODE = 'This code is wrong or has expired. Get a new one in the app.'

function isWaiting({ now }: Context, userCode: string) {
  return and(
    eq(deviceRequests.userCode, userCode),
    eq(deviceRequests.decision, 'pending'),
    isNull(deviceRequests.redeemedAt),
    gt(deviceRequests.expiresAt, now),
  )
}

/** Whether the app with this user code was approved by this account a moment ago. */
function isConnectedTo({ now }: Context, userId: string, userCode: string) {
  return and(
    eq(deviceRequests.userCode, userCode),
    eq(deviceRequests.decision, 'approved'),
    eq(deviceRequests.userId, userId),
    gt(deviceRequests.expiresAt, now),
  )
}

/** Without vowels, so that no words appear, and without letters that look like digits. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** Eight letters, 34 bits: the app shows them, and a person types them within ten minutes (RFC 8628 §6.1). */
function newUserCode(randomBytes: (count: number) => Uint8Array): string {
  let code = ''
  while (code.length < LENGTH) {
    for (const byte of randomBytes(LENGTH)) {
      // 240 is the largest multiple of 20 below 256: bytes above it would favour some letters.
      if (byte < 240 && code.length < LENGTH) code += LETTERS.charAt(byte % LETTERS.length)
    }
  }
  return code
}

/** The code as people read it: BCDF-GHJK. */
function showUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`
}
