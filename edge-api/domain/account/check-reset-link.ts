import type { checkResetLinkEndpoint } from '../../../src/contract/credential.ts'
import { sha256Hex } from '../encoding.ts'
import type { PublicVerb } from '../verb.ts'
import { requireResetLink } from './reset-link.ts'

/**
 * Says before two passwords are typed whether the link still works; the same refusal as setting one: LINK_INVALID.
 * It changes nothing, so that scanners of mail may follow it.
 */
export const checkResetLink: PublicVerb<typeof checkResetLinkEndpoint> = async (
  ctx,
  { params },
) => {
  await requireResetLink(ctx, await sha256Hex(params.token))
  return { success: true }
}
