import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { z } from '../../../src/contract/zod.ts'
import type { DeviceRefusal, deviceTokenEndpoint } from '../../../src/contract/device.ts'
import { deviceRequests } from '../../db/schema/sessions.ts'
import { users } from '../../db/schema/users.ts'
import type { Context } from '../context.ts'
import { sha256Hex } from '../encoding.ts'
import { deliverDueMail } from '../mail/deliver-mail.ts'
import { Refusal } from '../refusal.ts'
import { seconds } from '../time.ts'
import type { PublicVerb } from '../verb.ts'
import { POLL_INTERVAL_SECONDS } from './authorize-device.ts'
import { signBearer } from '../account/bearer.ts'
import { insertRedeemedSession, newSession } from '../account/open-session.ts'
import { knownDevices, recordSignIn, mailNewDevice } from './record-sign-in.ts'

/**
 * Answers an app's poll (RFC 8628 §3.4). DEVICE_CODE_REFUSED with the `error` of §3.5 until the code is approved. A
 * code opens one session, however often it is polled.
 */
export const redeemDeviceCode: PublicVerb<typeof deviceTokenEndpoint> = async (ctx, { body }) => {
  const deviceCodeHash = await sha256Hex(body.device_code)
  const { rows } = await ctx.db.batch({
    // Statements run in order, so this reads the row before the poll is recorded.
    rows: findRequest(ctx, deviceCodeHash),
    noted: ctx.db
      .update(deviceRequests)
      .set({ lastPolledAt: ctx.now })
      .where(eq(deviceRequests.deviceCodeHash, deviceCodeHash)),
  })
  const { owner, clientName: device } = admitted(ctx, rows[0])
  const userId = owner.id
  const session = newSession(ctx, { userId, kind: 'desktop', isRemembered: true, device })
  const isTold = owner.knownDevices === 0 && owner.mailSecurity
  const { redeemed } = await ctx.db.batch({
    redeemed: redeemRequest(ctx, deviceCodeHash),
    session: insertRedeemedSession(ctx, session),
    // The user was notified with `device_connected` when the code was confirmed.
    event: recordSignIn(ctx, session, 'signed_in'),
    mail: isTold ? mailNewDevice(ctx, owner, session) : null,
  })
  if (redeemed.length === 0) throw refuse('expired_token')
  if (isTold) ctx.waitUntil(() => deliverDueMail(ctx))
  const claims = { userId, sessionId: session.id }
  return {
    success: true,
    access_token: await signBearer(ctx.keys, claims, {
      now: ctx.now,
      expiresAt: session.expiresAt,
    }),
    token_type: 'Bearer',
    expires_in: Math.floor((session.expiresAt - ctx.now) / 1_000),
  }
}

function redeemRequest({ db, now }: Context, deviceCodeHash: string) {
  return db
    .update(deviceRequests)
    .set({ redeemedAt: now })
    .where(
      and(
        eq(deviceRequests.deviceCodeHash, deviceCodeHash),
        eq(deviceRequests.decision, 'approved'),
        isNull(deviceRequests.redeemedAt),
        gt(deviceRequests.expiresAt, now),
      ),
    )
    .returning({ userId: deviceRequests.userId })
}

function findRequest({ db }: Context, deviceCodeHash: string) {
  return db
    .select({
      request: deviceRequests,
      owner: {
        id: users.id,
        email: users.email,
        mailSecurity: users.mailSecurity,
        knownDevices: knownDevices(sql`device_requests.client_name`),
      },
    })
    .from(deviceRequests)
    .leftJoin(users, eq(users.id, deviceRequests.userId))
    .where(eq(deviceRequests.deviceCodeHash, deviceCodeHash))
}

type Found = Awaited<ReturnType<typeof findRequest>>[number]

/** The account that approved the app, and the app's name. Refuses with the RFC's error otherwise. */
function admitted({ now }: Context, found: Found | undefined) {
  if (found === undefined) throw refuse('expired_token')
  const { request, owner } = found
  if (request.redeemedAt !== null) throw refuse('expired_token')
  if (request.expiresAt <= now) throw refuse('expired_token')
  const lastPolledAt = request.lastPolledAt ?? 0
  if (now - lastPolledAt < seconds(POLL_INTERVAL_SECONDS - 1)) throw refuse('slow_down')
  if (request.decision === 'denied') throw refuse('access_denied')
  if (request.decision === 'pending' || owner === null) throw refuse('authorization_pending')
  return { owner, clientName: request.clientName }
}

const SENTENCES: Record<z.infer<typeof DeviceRefusal>, string> = {
  authorization_pending: 'Nobody has confirmed the code yet.',
  slow_down: 'Wait a little longer between two tries.',
  access_denied: 'The sign-in was refused.',
  expired_token: 'The code has expired. Ask for a new one.',
}

function refuse(error: keyof typeof SENTENCES): Refusal {
  return new Refusal('DEVICE_CODE_REFUSED', SENTENCES[error], { extra: { error } })
}
