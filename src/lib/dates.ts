const MINUTE = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const

const formatter = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', options)

const day = formatter({ day: 'numeric', month: 'long', year: 'numeric' })
const date = formatter({ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const sellerDay = formatter({
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'Asia/Kolkata',
})
const minute = formatter(MINUTE)
const utcMinute = formatter({ ...MINUTE, timeZone: 'UTC' })
const month = formatter({ month: 'long', year: 'numeric', timeZone: 'UTC' })
const weekday = formatter({ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
const clock = formatter({ hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })
const calendarDay = formatter({ day: 'numeric', month: 'short', timeZone: 'UTC' })

/** An instant (ISO 8601) as a date in the reader's own time zone: `21 November 2026`. */
export function formatDay(instant: string): string {
  return day.format(new Date(instant))
}

/** A calendar day (`2026-11-21`) in words, wherever the reader or the build is: `21 November 2026`. */
export function formatDate(isoDate: string): string {
  return date.format(new Date(isoDate))
}

/** The calendar day (`2026-11-21`) this many days after another. */
export function dayAfter(isoDate: string, count: number): string {
  const later = new Date(isoDate)
  later.setUTCDate(later.getUTCDate() + count)
  return later.toISOString().slice(0, 10)
}

/** An instant as a date of the seller's documents, in India time; the page says so. */
export function formatSellerDay(instant: string): string {
  return sellerDay.format(new Date(instant))
}

/** A calendar day of UTC (`2026-11-21`) with its weekday: `Sat 21 Nov`. */
export function formatWeekday(isoDate: string): string {
  return weekday.format(new Date(isoDate)).replace(',', '')
}

/** The time of day of an instant in UTC: `09:05`. */
export function formatClock(instant: string): string {
  return clock.format(new Date(instant))
}

/** An instant with its minute: `21 Nov 2026, 09:05`. */
export function formatMinute(instant: string): string {
  return minute.format(new Date(instant))
}

/** An instant with its minute in UTC: `21 Nov 2026, 09:05`. */
export function formatUtcMinute(instant: string): string {
  return utcMinute.format(new Date(instant))
}

/** A text with its instants written for people. */
export function writeInstants(text: string, write: (instant: string) => string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => write(instant))
}

/** The months of UTC from an instant until now, newest first: `2026-11`. */
export function monthsSince(instant: string, nowMs: number): string[] {
  const [first, now] = [new Date(instant), new Date(nowMs)]
  const count = (now.getUTCFullYear() - first.getUTCFullYear()) * 12 + now.getUTCMonth()
  return Array.from({ length: Math.max(0, count - first.getUTCMonth()) + 1 }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7),
  )
}

/** A calendar day of UTC (`2026-11-21`) without its year: `21 Nov`. */
export function formatCalendarDay(isoDate: string): string {
  return calendarDay.format(new Date(isoDate))
}

/** How long ago, in words; `nowMs` in milliseconds since the epoch. */
export function formatAgo(instant: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(instant)) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return hours === 1 ? '1 hour ago' : `${hours} hours ago`
  const days = Math.floor(hours / 24)
  return days === 1 ? 'yesterday' : days < 30 ? `${days} days ago` : formatDay(instant)
}

/** A month as "2026-11" in words: `November 2026`. */
export function formatMonth(isoMonth: string): string {
  return month.format(new Date(isoMonth))
}
