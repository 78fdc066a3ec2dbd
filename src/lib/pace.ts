import { dayAfter } from './dates.ts'

interface Day {
  day: string
  tokens: number
}

/** How fast tokens are used, and when none is left. */
interface Pace {
  today: number
  /** Tokens a day since the first day of use among these days; 0 without use. */
  average: number
  /** The day on which the last token goes at this average (`2027-03-14`); null while there is too little use to tell. */
  lastDay: string | null
}

/** This many days of use are enough to predict the next ones. */
const DAYS_MIN = 3
/** A last day later than this is not worth showing. */
const DAYS_MAX = 3_650

/** The pace of the use of these days, oldest first; the last is today. */
export function paceOf(days: readonly Day[], left: number): Pace {
  const first = days.findIndex(({ tokens }) => tokens > 0)
  const today = days.at(-1)
  if (first === -1 || today === undefined) return { today: 0, average: 0, lastDay: null }
  const count = days.length - first
  const average = days.reduce((sum, { tokens }) => sum + tokens, 0) / count
  const daysLeft = Math.floor(left / average)
  const isKnown = count >= DAYS_MIN && daysLeft <= DAYS_MAX
  return {
    today: today.tokens,
    average: Math.round(average),
    lastDay: isKnown ? dayAfter(today.day, daysLeft) : null,
  }
}
