import type { Announcement } from '../../src/contract/announcement.ts'

/**
 * Asks what the site tells everybody; to be called once the page has loaded. The browser keeps the answer for a minute,
 * and the parts that show it load only when there is something to show.
 */
export async function showAnnouncement() {
  try {
    const answer = await fetch('/api/announcement')
    const body: { announcement?: Announcement | null } = await answer.json()
    if (body.announcement) (await import('./banner.ts')).showBanner(body.announcement)
  } catch {
    // Visitors asked for none of it, so they read no error.
  }
}
