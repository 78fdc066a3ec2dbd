import { ledger, usageSessions } from '../../../edge-api/db/schema/tokens.ts'
import { database } from '../../harness/stored.ts'

const DAY_MS = 86_400_000

/**
 * Entries as the desktop app leaves them: on day `n` of the last `days` some tokens are used, and a session takes place.
 * Answers what was used on each day, oldest first.
 */
export async function useOverDays(userId: string, days: number): Promise<number[]> {
  const db = database()
  const used = Array.from({ length: days }, (_, day) => 1_000 + ((day * 7_919) % 20_000))
  const now = Date.now()
  const at = (day: number) => now - (days - 1 - day) * DAY_MS
  const sessionId = (day: number) => `s-${userId}-${day}`
  await db.batch([
    db.insert(ledger).values(
      used.map((tokens, day) => ({
        ref: `use:${userId}:${day}`,
        userId,
        kind: 'use' as const,
        tokens: -tokens,
        usageSessionId: sessionId(day),
        usageMode: 'meeting',
        mode: 'emulator' as const,
        createdAt: at(day),
      })),
    ),
    db.insert(usageSessions).values(
      used.map((_, day) => ({
        userId,
        sessionId: sessionId(day),
        mode: 'meeting' as const,
        startedAt: at(day),
        endedAt: at(day) + 60_000,
        hasSucceeded: day % 4 !== 0,
        secondsSaved: 900,
      })),
    ),
  ])
  return used
}
