import type { Claims } from '../../../edge-api/domain/account/signed.ts'
import type { Context } from '../../../edge-api/domain/context.ts'
import {
  authorizeDevice,
  confirmDevice,
} from '../../../edge-api/domain/session/authorize-device.ts'
import { callOf, NO_INPUT } from './world.ts'

/** Approves a desktop app that calls itself so. Returns what the app then polls with. */
export async function approveDevice(ctx: Context, claims: Claims, name = 'Sotto for Windows') {
  const asked = await authorizeDevice(ctx, { ...NO_INPUT, body: { client_name: name } })
  const body = { userCode: asked.user_code.replace('-', ''), approve: true }
  await confirmDevice(ctx, { ...callOf(claims), body })
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code' as const
  return { grant_type, device_code: asked.device_code }
}
