/** Durations in milliseconds, so that none is bare arithmetic. */
export const seconds = (count: number) => count * 1_000
/** In milliseconds. */
export const minutes = (count: number) => seconds(count * 60)
/** In milliseconds. */
export const hours = (count: number) => minutes(count * 60)
/** In milliseconds. A day has 24 hours: everything here counts in UTC. */
export const days = (count: number) => hours(count * 24)

/** An instant as the API writes it. */
export function toIso(at: number): string {
  return new Date(at).toISOString()
}

/** An instant that may not have come, as the API writes it. */
export function toIsoOrNull(at: number | null): string | null {
  return at === null ? null : toIso(at)
}
