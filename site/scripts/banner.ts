import type { Announcement } from '../../src/contract/announcement.ts'
import type { StorageKey } from '../../src/lib/browser-storage.ts'
import css from '../styles/banner.css?inline'

/** The announcement that this browser's user closed. */
const CLOSED = 'closed-announcement' satisfies StorageKey

/**
 * Shows an announcement at the foot of the window, over the page so that nothing moves, until its reader closes it. It is a
 * separate script, because most visitors never see one.
 */
export function showBanner({ version, text }: Announcement) {
  if (readClosed() === String(version)) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  document.adoptedStyleSheets.push(sheet)
  const banner = document.createElement('aside')
  banner.className = 'banner no-print'
  banner.ariaLabel = 'Announcement'
  const words = document.createElement('p')
  words.role = 'status'
  words.textContent = text
  const close = document.createElement('button')
  close.type = 'button'
  close.className = 'button button-secondary button-small'
  close.textContent = '×'
  close.ariaLabel = 'Close'
  close.addEventListener('click', () => {
    banner.remove()
    try {
      localStorage.setItem(CLOSED, String(version))
    } catch {
      // The browser refuses storage: the next page shows it again.
    }
  })
  banner.append(words, close)
  document.body.append(banner)
}

function readClosed(): string | null {
  try {
    return localStorage.getItem(CLOSED)
  } catch {
    return null
  }
}
