import { BOOKMARK_HEADER } from '../contract/bookmark.ts'

/** All tabs share it, as they share the token. The head of the page sends it too (site/layouts/account/early.ts). */
const KEY = 'bookmark'

type Fetch = (path: string, init: RequestInit) => Promise<Response>
type Store = Pick<Storage, 'getItem' | 'setItem'>

/**
 * Makes `fetch` send back the highest bookmark of all answers so far: they may come in another order than they were made.
 * `store` may throw, because a browser may refuse storage; then reads come from the primary.
 */
export function withBookmark(fetch: Fetch, store: Store): Fetch {
  return async (path, init) => {
    const sent = read(store)
    const headers = new Headers(init.headers)
    if (sent > 0) headers.set(BOOKMARK_HEADER, String(sent))
    const answer = await fetch(path, { ...init, headers })
    const seen = Number(answer.headers.get(BOOKMARK_HEADER))
    if (seen > read(store)) write(store, seen)
    return answer
  }
}

function read(store: Store): number {
  try {
    return Number(store.getItem(KEY))
  } catch {
    return 0
  }
}

function write(store: Store, seen: number): void {
  try {
    store.setItem(KEY, String(seen))
  } catch {
    // As above.
  }
}
