import type { AccountEvent } from '../../contract/notice.ts'
import { formatAgo } from '../../lib/dates.ts'
import { session } from '../../stores/browser.ts'
import { createNotices } from '../../stores/notices.ts'
import type { ResourceState } from '../../stores/resource.ts'
import { each, element } from './elements.ts'

/** The bell: how many notices are unread; opening it lists what happened and marks it read. */
export function startBell() {
  const [panel] = each('[data-notices]', HTMLElement)
  if (panel === undefined) return
  const notices = createNotices(session)
  session.$session.subscribe(({ user }) => {
    if (user !== null) notices.$unread.set(user.unreadNotices)
  })
  notices.$unread.subscribe(showUnread)
  // The bar works before its script does: the panel may be open already.
  if (panel.matches(':popover-open')) void notices.open()
  panel.addEventListener('toggle', (event) => {
    if (event instanceof ToggleEvent && event.newState === 'open') void notices.open()
  })
  notices.$notices.subscribe((state) => {
    panel.replaceChildren(...draw(state))
  })
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

function draw(state: ResourceState<{ notices: readonly AccountEvent[] }>): HTMLElement[] {
  const title = element('h2', 'pop-title', 'Notifications')
  if (state.data !== null && state.data.notices.length > 0) {
    const list = element('ul', 'happenings')
    list.append(...state.data.notices.map(drawNotice))
    return [title, list]
  }
  return [title, element('p', 'empty', emptyText(state.status))]
}

function emptyText(status: ResourceState<unknown>['status']): string {
  if (status === 'loading') return 'Loading…'
  return status === 'failed'
    ? 'We could not load your notifications. Open this again to retry.'
    : 'Nothing yet. Payments, refunds and sign-ins on new devices show up here.'
}

function drawNotice(notice: AccountEvent): HTMLElement {
  const item = element('li', 'happening')
  item.dataset.unread = String(notice.isUnread)
  const time = element('time', 'small quiet', formatAgo(notice.createdAt, Date.now()))
  time.setAttribute('datetime', notice.createdAt)
  item.append(element('p', '', notice.text), time)
  if (notice.isUnread) item.prepend(element('span', 'visually-hidden', 'New:'))
  return item
}
