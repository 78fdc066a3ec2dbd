import type { StatementLine } from '../../contract/usage.ts'
import { formatDate, formatter } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import type { StatementFilter } from './statement.ts'
import { MODE_NAMES } from '../../lib/usage-modes.ts'

export interface Line extends StatementLine {
  title: string
  /** The tokens left after it. */
  balance: number
}

export interface Day {
  /** `2026-11-21`, in UTC. */
  day: string
  /** The sum of its lines. */
  tokens: number
  lines: Line[]
}

/** The lines of a statement by day, newest first, each with what was left after it; those that the filter leaves. */
export function daysOf(
  { closing, lines }: { closing: number; lines: readonly StatementLine[] },
  { show, search }: Omit<StatementFilter, 'month'>,
): Day[] {
  let balance = closing
  const titled = lines.map((line): Line => {
    const after = balance
    balance -= line.tokens
    return { ...line, title: titleOf(line), balance: after }
  })
  const words = search.toLowerCase().split(/\s+/)
  const shown = titled.filter(
    (line) =>
      (show === '' || line.kind === show || line.mode === show) &&
      words.every((word) => textOf(line).includes(word)),
  )
  const days: Day[] = []
  for (const line of shown) {
    const day = line.createdAt.slice(0, 10)
    if (days.at(-1)?.day !== day) days.push({ day, tokens: 0, lines: [] })
    const last = days.at(-1)
    last?.lines.push(line)
    if (last) last.tokens += line.tokens
  }
  return days
}

function titleOf({ kind, mode, tokens, item, purchaseId }: StatementLine): string {
  if (kind === 'use') return mode === null ? 'Desktop app' : MODE_NAMES[mode]
  if (kind === 'adjustment') return tokens > 0 ? 'Added by support' : 'Removed by support'
  if (kind === 'trial' || purchaseId === null) return 'Free tokens to try the app'
  return `${REASONS[kind]} ${item ?? 'a purchase'}`
}

/** The text before the name of the purchase. */
export const REASONS = {
  grant: 'Bought',
  reversal: 'Refund or dispute:',
  restoration: 'Restored:',
} as const

/** A change of tokens: `+1,000`, `−12`; `0` of a day whose changes cancel each other out. */
export function signed(tokens: number): string {
  const sign = tokens === 0 ? '' : tokens > 0 ? '+' : '−'
  return sign + formatCount(Math.abs(tokens))
}

/** The text that the search looks in. */
function textOf({ title, sessionId, createdAt, tokens }: Line): string {
  return [title, sessionId ?? '', formatDate(createdAt.slice(0, 10)), Math.abs(tokens)]
    .join(' ')
    .toLowerCase()
}

const month = formatter({ month: 'long', year: 'numeric', timeZone: 'UTC' })
const weekday = formatter({ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
const clock = formatter({ hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

/** A month as "2026-11" in words: `November 2026`. */
export function formatMonth(isoMonth: string): string {
  return month.format(new Date(isoMonth))
}

/** A calendar day of UTC (`2026-11-21`) with its weekday: `Sat 21 Nov`. */
export function formatWeekday(isoDate: string): string {
  return weekday.format(new Date(isoDate)).replace(',', '')
}

/** The time of day of an instant in UTC: `09:05`. */
export function formatClock(instant: string): string {
  return clock.format(new Date(instant))
}

/** The months of UTC from an instant until a month, newest first: `2026-11`. */
export function monthsSince(instant: string, month: string): string[] {
  const [first, now] = [new Date(instant), new Date(month)]
  const count = (now.getUTCFullYear() - first.getUTCFullYear()) * 12 + now.getUTCMonth()
  return Array.from({ length: Math.max(0, count - first.getUTCMonth()) + 1 }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7),
  )
}
