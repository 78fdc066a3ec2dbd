import type { users } from '../../db/schema/users.ts'
import { days } from '../time.ts'

/**
 * The terms and the privacy page in force, by the day of the last change that matters (site/content/legal). Every account
 * gets a mail about a new version, and is asked to accept it 30 days later. New accounts and purchases accept it at once.
 */
export const TERMS = {
  /** ISO date: later versions sort after earlier ones. */
  version: '2026-11-28',
  /** The changes, one sentence each, for the mail. */
  changes: ['These are the first terms.'],
} as const

/** How long before it applies to an account a new version is announced. */
const NOTICE_MS = days(30)

/** The columns of an account that accepts the terms now. */
export function acceptedTerms(now: number) {
  const { version } = TERMS
  return {
    termsVersion: version,
    termsAcceptedAt: now,
    termsAnnouncedVersion: version,
    termsAnnouncedAt: now,
  }
}

type Terms = Pick<
  typeof users.$inferSelect,
  'termsVersion' | 'termsAnnouncedVersion' | 'termsAnnouncedAt'
>

/** Whether the present version was announced to an account long enough ago to ask for its acceptance. */
export function mustAcceptTerms(account: Terms, now: number): boolean {
  return (
    account.termsVersion < TERMS.version &&
    account.termsAnnouncedVersion === TERMS.version &&
    account.termsAnnouncedAt + NOTICE_MS <= now
  )
}

/** When a version that is announced to an account now starts to apply. */
export function termsCountFrom(now: number): number {
  return now + NOTICE_MS
}
