import { atom } from 'nanostores'
import { formatAgo } from '../../lib/ago.ts'
import { environment } from '../../lib/environment.ts'
import { createResource } from '../resource/resource.ts'
import { session } from '../session/session.ts'

/** The notifications of the bell. Opening the list marks all of them read. */
export function createNotices() {
  const list = createResource(() => session.call('GET /api/auth/notices', {}))
  const $unread = atom(0)

  async function open() {
    await list.load()
    if ($unread.get() === 0 || list.$resource.get().status !== 'ready') return
    const before = $unread.get()
    $unread.set(0)
    const result = await session.call('POST /api/auth/notices/read', { keepalive: true })
    if (!result.ok) $unread.set(before)
  }

  return {
    $notices: list.$resource,
    $unread,
    open,
    /** How long ago an instant was, in words. */
    ago: (instant: string) => formatAgo(instant, environment.clock.now()),
  }
}
