import type { AccountEvent } from '../contract/notice.ts'
import { formatAgo } from '../lib/ago.ts'
import { session } from '../features/session/session.ts'
import { createNotices } from '../features/notices/notices.ts'
import type { ResourceState } from '../features/resource/resource.ts'
import { element } from './elements.ts'

let notices: ReturnType<typeof createNotices> | undefined

/** Lists the notices in the panel and marks them read. */
export async function openNotices(panel: HTMLElement, showUnread: (unread: number) => void) {
  notices ??= fillPanel(panel, showUnread)
  await notices.open()
}

function fillPanel(panel: HTMLElement, showUnread: (unread: number) => void) {
  const made = createNotices()
  session.$session.subscribe(({ user }) => {
    if (user !== null) made.$unread.set(user.unreadNotices)
  })
  made.$unread.subscribe(showUnread)
  made.$notices.subscribe((state) => {
    panel.replaceChildren(...draw(state))
  })
  return made
}

function draw(state: ResourceState<{ notices: readonly AccountEvent[] }>): HTMLElement[] {
  const title = element('h2', 'pop-title', 'Notifications')
  if (state.data !== null && state.data.notices.length > 0) {
    const list = element('ul', '')
    list.append(...state.data.notices.map(drawNotice))
    return [title, list]
  }
  return [title, element('p', 'empty', emptyText(state.status))]
}

function emptyText(status: ResourceState<unknown>['status']): string {
  if (status === 'loading') return 'Loading…'
  return status === 'failed'
    ? 'We could not load your notifications. Open this again to retry.'
    : 'Nothing yet. Payments, refunds and sign-ins on new devices appear here.'
}

function drawNotice(notice: AccountEvent): HTMLElement {
  const item = element('li', 'happening')
  item.dataset.unread = String(notice.isUnread)
  const time = element('time', 'small muted', formatAgo(notice.createdAt, Date.now()))
  time.setAttribute('datetime', notice.createdAt)
  item.append(element('p', '', notice.text), time)
  if (notice.isUnread) item.prepend(element('span', 'visually-hidden', 'New:'))
  return item
}
