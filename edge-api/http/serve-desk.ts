import { parse } from 'hono/utils/cookie'
import { z } from '../../src/contract/zod.ts'
import { unseal } from '../domain/account/sealed.ts'
import type { Context } from '../domain/context.ts'
import { DESK_PASS } from './sign-in-cookie.ts'

/** Whether a path is the desk's page or one of its scripts. */
export function isDesk(pathname: string): boolean {
  return pathname === '/desk' || pathname.startsWith('/desk/')
}

/** The pass that the door of the desk gave to this browser; '' without one. */
export function deskPassOf(request: Request): string {
  const cookies = parse(request.headers.get('Cookie') ?? '')
  return cookies[`__Host-${DESK_PASS}`] ?? cookies[DESK_PASS] ?? ''
}

/** Whether a pass is genuine and unexpired. It opens the page without data; each call of the desk checks the operator. */
export async function isDeskPass(
  ctx: Pick<Context, 'keys' | 'now'>,
  pass: string,
): Promise<boolean> {
  return (await unseal(ctx, 'desk', { sealed: pass, schema: z.object({}) })) !== null
}
