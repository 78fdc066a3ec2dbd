import type { Announcement } from '../../src/contract/announcement.ts'

/** Fetches the announcement, and shows it. Call it once the page has loaded; browsers keep the answer for a minute. */
export async function showAnnouncement() {
  try {
    const answer = await fetch('/api/announcement')
    const body: { announcement?: Announcement | null } = await answer.json()
    if (body.announcement) (await import('./banner.ts')).showBanner(body.announcement)
  } catch {
    // The announcement is optional, so a failure is not shown.
  }
}
