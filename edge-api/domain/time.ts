/** In milliseconds. */
export const seconds = (count: number) => count * 1_000
/** In milliseconds. */
export const minutes = (count: number) => seconds(count * 60)
/** In milliseconds. */
export const hours = (count: number) => minutes(count * 60)
/** In milliseconds. Times are in UTC, where every day has 24 hours. */
export const days = (count: number) => hours(count * 24)

/** A time in milliseconds UTC as the API writes it. */
export function toIso(at: number): string {
  return new Date(at).toISOString()
}

/** The same for a time that may be missing. */
export function toIsoOrNull(at: number | null): string | null {
  return at === null ? null : toIso(at)
}
