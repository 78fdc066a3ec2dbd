import type { Announcement } from '../../src/contract/announcement.ts'
import { storageOf } from '../../src/lib/browser-storage.ts'
import css from '../styles/banner.css?inline'

const storage = storageOf(() => localStorage)

/**
 * Shows an announcement at the foot of the window, over the page so that nothing moves, until its reader closes it. It is a
 * separate script, because most visitors never see one.
 */
export function showBanner({ version, text }: Announcement) {
  if (storage.getItem('closed-announcement') === String(version)) return
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
    storage.setItem('closed-announcement', String(version))
  })
  banner.append(words, close)
  document.body.append(banner)
}
