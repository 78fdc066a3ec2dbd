import { session } from '../features/session/session.ts'
import { each, element } from './elements.ts'

const NOT_LOADED = 'We could not load your notifications. Please reload the page.'

/** The bell: the number of unread notices. The list loads when the user opens the panel. */
export function startBell() {
  const [panel] = each('[data-notices]', HTMLElement)
  if (panel === undefined) return
  session.$session.subscribe(({ user }) => {
    if (user !== null) showUnread(user.unreadNotices)
  })
  const open = async () => {
    const part = await import('./notice-panel.ts').catch(() => null)
    if (part === null) panel.replaceChildren(element('p', 'empty', NOT_LOADED))
    else await part.openNotices(panel, showUnread)
  }
  panel.addEventListener('toggle', (event) => {
    if (event instanceof ToggleEvent && event.newState === 'open') void open()
  })
  // The panel opens without this script, so the user may have opened it already.
  if (panel.matches(':popover-open')) void open()
}

function showUnread(unread: number) {
  for (const count of each('[data-unread-count]', HTMLElement)) {
    count.hidden = unread === 0
    count.textContent = unread > 99 ? '99+' : String(unread)
  }
  for (const label of each('[data-bell-label]', HTMLElement)) {
    label.textContent = unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`
  }
}
