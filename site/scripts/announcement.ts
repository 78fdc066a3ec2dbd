import type { Announcement } from '../../src/contract/announcement.ts'
import { whenIdle } from './when-idle.ts'

/**
 * Asks, once the page has loaded and the browser is idle, what the site tells everybody. The browser keeps the answer for a minute, and the parts
 * that show it load only when there is something to show.
 */
export function showAnnouncement() {
  whenIdle(() => {
    fetch('/api/announcement', { headers: { accept: 'application/json' } })
      .then((answer) => (answer.ok ? answer.json() : null))
      .then(async (body: { announcement: Announcement | null } | null) => {
        if (body === null || body.announcement === null) return
        const { showBanner } = await import('./banner.ts')
        showBanner(body.announcement)
      })
      // Visitors asked for none of it, so they read no error.
      .catch(() => undefined)
  })
}
