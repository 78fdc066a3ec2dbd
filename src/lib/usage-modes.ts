import { USAGE_MODES } from '../contract/kinds.ts'
import type { TokensByMode, UsageMode } from '../contract/usage.ts'
import { percentOf } from './numbers.ts'

/** A mode of the desktop app, or use for which the app named none. */
export type Mode = UsageMode | 'other'

export const MODE_NAMES = {
  interview: 'Interview',
  meeting: 'Meeting',
  sales: 'Sales',
  negotiation: 'Negotiation',
  other: 'Other',
} as const satisfies Record<Mode, string>

export interface Share {
  mode: Mode
  tokens: number
  percent: number
}

/** How much of a use each of the four modes has, and the rest if there is one. */
export function sharesOf(tokens: number, byMode: TokensByMode): Share[] {
  const named = USAGE_MODES.map((mode) => ({ mode, tokens: byMode[mode] }))
  const rest = named.reduce((sum, share) => sum - share.tokens, tokens)
  const all: Omit<Share, 'percent'>[] =
    rest > 0 ? [...named, { mode: 'other', tokens: rest }] : named
  return all.map((share) => ({ ...share, percent: percentOf(share.tokens, tokens) }))
}
