/** In milliseconds. */
export const seconds = (count: number) => count * 1_000
/** In milliseconds. */
export const minutes = (count: number) => seconds(count * 60)
/** In milliseconds. */
export const hours = (count: number) => minutes(count * 60)
/** In milliseconds. Times are in UTC, where every day has 24 hours. */
export const days = (count: number) => hours(count * 24)

/** The UTC day of a time in milliseconds, in days since 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / days(1))
}

/** A time in milliseconds UTC as the API writes it. */
export function toIso(at: number): string {
  return new Date(at).toISOString()
}

/** A time as operators read it: `2026-11-23 18:30`, in UTC. */
export function inMinutes(at: number): string {
  return toIso(at).slice(0, 16).replace('T', ' ')
}

/** The same for a time that may be missing. */
export function toIsoOrNull(at: number | null): string | null {
  return at === null ? null : toIso(at)
}

const DAY = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
const dayFormat = new Intl.DateTimeFormat('en-GB', DAY)
const minuteFormat = new Intl.DateTimeFormat('en-GB', {
  ...DAY,
  hour: '2-digit',
  minute: '2-digit',
})

/** A time in milliseconds UTC as customers read its day: `23 November 2026`. */
export const dayInWords = (at: number): string => dayFormat.format(at)

/** The same with its minute: `23 November 2026, 18:30 UTC`. */
export const minuteInWords = (at: number): string =>
  `${minuteFormat.format(at).replace(' at ', ', ')} UTC`

/** The first millisecond of a month of UTC (`2026-11`) and of the next month. */
export function monthSpan(month: string): { start: number; end: number } {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return { start: Date.UTC(year, number - 1), end: Date.UTC(year, number) }
}
