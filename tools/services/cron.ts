import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/** The two cron lines of wrangler.toml. */
export const EVERY_MINUTE = '* * * * *'
export const DAILY = '17 3 * * *'

/** The cron lines that are due in the minute of `at`: one each minute, the other at 03:17 UTC as well. */
export function dueCrons(at: Date): string[] {
  const isDailyMinute = at.getUTCHours() === 3 && at.getUTCMinutes() === 17
  return isDailyMinute ? [EVERY_MINUTE, DAILY] : [EVERY_MINUTE]
}

/** Runs the Worker's scheduled() at every full minute, as production does. `onError` gets each failure as one line. */
export function startCron(origin: string, onError: (line: string) => void): void {
  // A little late on purpose: a timer that fires a millisecond early would run the same minute twice.
  setTimeout(
    () => {
      const now = new Date()
      for (const cron of dueCrons(now)) {
        fireCron(origin, cron, now).catch((error: unknown) => {
          onError(`cron ${cron}: ${String(error)}`)
        })
      }
      startCron(origin, onError)
    },
    60_050 - (Date.now() % 60_000),
  )
}

/** Runs the Worker's scheduled() now, by the URL that local runtimes have for it. Throws when it fails. */
export async function fireCron(origin: string, cron: string, at: Date): Promise<void> {
  const query = new URLSearchParams({ cron, time: String(at.getTime()) })
  // A daily job may take ten minutes, and `fetch` waits for an answer no longer than five.
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${origin}/cdn-cgi/local/scheduled?${query}`, resolve).on('error', reject)
  })
  const answer = await text(response)
  if (response.statusCode !== 200) {
    throw new Error(`answered ${response.statusCode} ${answer.slice(0, 200)}`)
  }
}
