/** How calls went that were sent one after another or side by side. Times in milliseconds. */
export interface Pace {
  perSecond: number
  p50: number
  p99: number
  worst: number
}

/** Sums up calls of these durations (milliseconds) that were sent in so many seconds. */
export function paceOf(times: readonly number[], seconds: number): Pace {
  return {
    perSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    worst: quantile(times, 1),
  }
}

/** The value below which this share of all lies; NaN when there is none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The middle value, or the mean of the two in the middle; NaN when there is none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}
