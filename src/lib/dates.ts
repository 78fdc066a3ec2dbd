/** The parts of an instant with its minute. */
export const MINUTE = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const

/** Writes dates in the order of day, month and year. */
export const formatter = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', options)

const day = formatter({ day: 'numeric', month: 'long', year: 'numeric' })
const date = formatter({ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const sellerDay = formatter({
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'Asia/Kolkata',
})
const minute = formatter(MINUTE)
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

/** The calendar day of an instant in the reader's own time zone: `2026-11-21`. */
export function ownDay(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

/** An instant as a date of the seller's documents, in India time; the page says so. */
export function formatSellerDay(instant: string): string {
  return sellerDay.format(new Date(instant))
}

/** An instant with its minute: `21 Nov 2026, 09:05`. */
export function formatMinute(instant: string): string {
  return minute.format(new Date(instant))
}

/** A calendar day of UTC (`2026-11-21`) without its year: `21 Nov`. */
export function formatCalendarDay(isoDate: string): string {
  return calendarDay.format(new Date(isoDate))
}
