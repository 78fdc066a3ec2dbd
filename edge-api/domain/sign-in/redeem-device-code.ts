import { and, eq, gt, isNull, lte, or } from 'drizzle-orm'
import type { z } from '../../../src/contract/zod.ts'
import {
  DEVICE_GRANT,
  type DeviceError,
  type deviceTokenEndpoint,
} from '../../../src/contract/device.ts'
import { previousChangedOne } from '../../db/insert-from.ts'
import { deviceRequests, sessions } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { ApiError } from '../api-error.ts'
import { seconds } from '../time.ts'
import type { PublicHandler } from '../handler.ts'
import { POLL_INTERVAL_SECONDS } from './authorize-device.ts'
import { signBearer } from '../crypto/sign.ts'
import {
  insertSession,
  isOpenSession,
  latestEnd,
  newSession,
  requireUsable,
} from '../session/session.ts'
import { recordSignIn } from './every-sign-in.ts'

const INTERVAL_MS = seconds(POLL_INTERVAL_SECONDS - 1)

/**
 * Answers an app's poll (RFC 8628 §3.4). DEVICE_CODE_REFUSED with the `error` of §3.5 until the code is approved. A code
 * opens one session, however often it is polled. Only a timely poll of a waiting code is recorded.
 */
export const redeemDeviceCode: PublicHandler<typeof deviceTokenEndpoint> = async (
  ctx,
  { body },
) => {
  if (body.grant_type !== DEVICE_GRANT) throw reject('unsupported_grant_type')
  const deviceCodeHash = await sha256Hex(body.device_code)
  const { rows } = await ctx.db.batch({ rows: findRequest(ctx, deviceCodeHash) })
  const approval = approvalIn(ctx, rows[0])
  if (approval === null) {
    await ctx.db.batch([notePoll(ctx, deviceCodeHash)])
    throw reject('authorization_pending')
  }
  const { userId, device, approvedBy } = approval
  const session = newSession(ctx, { userId, kind: 'desktop', isRemembered: true, device })
  const { redeemed } = await ctx.db.batch({
    redeemed: redeemRequest(ctx, deviceCodeHash),
    session: insertSession(ctx, session, previousChangedOne),
    // The user was notified and mailed when the code was approved.
    event: recordSignIn(ctx, session, 'signed_in'),
  })
  if (redeemed.length === 0) throw reject('invalid_grant')
  const claims = { userId, sessionId: session.id, approvedBy }
  const expiresAt = latestEnd(session)
  return {
    success: true,
    access_token: await signBearer(ctx.keys, claims, { now: ctx.now, expiresAt }),
    token_type: 'Bearer',
    expires_in: Math.floor((expiresAt - ctx.now) / 1_000),
  }
}

function redeemRequest({ db, now }: Context, deviceCodeHash: string) {
  const { userId, sessionId } = deviceRequests
  return db
    .update(deviceRequests)
    .set({ redeemedAt: now })
    .where(
      and(
        eq(deviceRequests.deviceCodeHash, deviceCodeHash),
        eq(deviceRequests.decision, 'approved'),
        isNull(deviceRequests.redeemedAt),
        gt(deviceRequests.expiresAt, now),
        isOpenSession({ userId, sessionId, now }),
      ),
    )
    .returning({ userId: deviceRequests.userId })
}

/** Of two polls at the same moment only the first counts: the second changes no row. */
function notePoll({ db, now }: Context, deviceCodeHash: string) {
  const { lastPolledAt } = deviceRequests
  return db
    .update(deviceRequests)
    .set({ lastPolledAt: now })
    .where(
      and(
        eq(deviceRequests.deviceCodeHash, deviceCodeHash),
        or(isNull(lastPolledAt), lte(lastPolledAt, now - INTERVAL_MS)),
      ),
    )
}

function findRequest({ db }: Context, deviceCodeHash: string) {
  return db
    .select({
      request: deviceRequests,
      approver: sessions,
      suspendedAt: users.suspendedAt,
      lockedAt: users.lockedAt,
    })
    .from(deviceRequests)
    .leftJoin(sessions, eq(sessions.id, deviceRequests.sessionId))
    .leftJoin(users, eq(users.id, sessions.userId))
    .where(eq(deviceRequests.deviceCodeHash, deviceCodeHash))
}

type Found = Awaited<ReturnType<typeof findRequest>>[number]

/** How much of the approving session's device fits into the new session's. */
const APPROVER_MAX = 60

/**
 * The account and the session that approved the app, and the name of the new session's device, or null while nobody has
 * decided. An app chooses its own name, so the device's name also says where it was approved. Rejects with the RFC's
 * error otherwise.
 */
function approvalIn({ now }: Context, found: Found | undefined) {
  if (found === undefined) throw reject('invalid_grant')
  const { request, approver } = found
  if (request.redeemedAt !== null) throw reject('invalid_grant')
  if (request.expiresAt <= now) throw reject('expired_token')
  if (now - (request.lastPolledAt ?? 0) < INTERVAL_MS) throw reject('slow_down')
  if (request.decision === 'denied') throw reject('access_denied')
  if (request.decision === 'pending') return null
  // `redeemRequest` checks that the approving session may still be used.
  if (approver === null) throw reject('invalid_grant')
  requireUsable(found, 'DEVICE_CODE_REFUSED', { error: 'access_denied' })
  const place = approver.device.slice(0, APPROVER_MAX)
  return {
    userId: approver.userId,
    approvedBy: approver.id,
    device: `${request.clientName} (approved on ${place})`,
  }
}

const SENTENCES: Record<z.infer<typeof DeviceError>, string> = {
  authorization_pending: 'Nobody has confirmed the code yet.',
  slow_down: 'Wait a little longer between two tries.',
  access_denied: 'The sign-in was refused.',
  expired_token: 'The code has expired. Ask for a new one.',
  invalid_grant: 'The code is wrong or was used. Ask for a new one.',
  unsupported_grant_type: `Send the grant_type ${DEVICE_GRANT}.`,
}

function reject(error: keyof typeof SENTENCES): ApiError {
  const msg = SENTENCES[error]
  const path = error === 'unsupported_grant_type' ? 'grant_type' : 'device_code'
  return new ApiError('DEVICE_CODE_REFUSED', msg, { errors: [{ path, msg }], extra: { error } })
}
