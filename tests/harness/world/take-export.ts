import type { Context } from '../../../edge-api/domain/context.ts'
import { exportData } from '../../../edge-api/domain/account/export-data.ts'
import type { Claims } from '../../../edge-api/domain/account/signed.ts'
import { exportDataEndpoint } from '../../../src/contract/data-export.ts'
import { callOf } from './world.ts'

/** The whole export of an account. */
export async function takeExport(ctx: Context, claims: Claims) {
  const stream = await exportData(ctx, callOf(claims))
  return exportDataEndpoint.success.parse(await new Response(stream).json())
}
