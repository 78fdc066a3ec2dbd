import { expect, test } from 'vitest'
import { BOOKMARK_HEADER } from '../contract/bookmark.ts'
import { withBookmark } from './bookmark.ts'

/** A server whose answers carry these bookmarks in turn, and what it was sent. */
function serverOf(bookmarks: readonly (string | null)[]) {
  const sent: (string | null)[] = []
  const fetch = (_: string, { headers }: RequestInit) => {
    const bookmark = bookmarks[sent.length] ?? null
    sent.push(new Headers(headers).get(BOOKMARK_HEADER))
    const answer = bookmark === null ? {} : { [BOOKMARK_HEADER]: bookmark }
    return Promise.resolve(new Response('', { headers: answer }))
  }
  return { fetch, sent }
}

function storage() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      kept.set(key, value)
    },
  }
}

test('the highest bookmark of all answers is sent back, whatever their order', async () => {
  const { fetch, sent } = serverOf(['20', '10', null, '30'])
  const store = storage()
  const call = withBookmark(fetch, store)
  for (let nth = 0; nth < 5; nth += 1) await call('/api', { headers: { accept: 'text/plain' } })
  expect(sent).toEqual([null, '20', '20', '20', '30'])
})

test('where answers carry none, nothing is sent or stored', async () => {
  const { fetch, sent } = serverOf([null, null])
  const store = storage()
  const call = withBookmark(fetch, store)
  await call('/api', {})
  await call('/api', {})
  expect(sent).toEqual([null, null])
  expect(store.kept.size).toBe(0)
})

test('a browser that refuses storage gets its answers', async () => {
  const { fetch, sent } = serverOf(['20', '30'])
  const refuse = () => {
    throw new Error('refused')
  }
  const call = withBookmark(fetch, { getItem: refuse, setItem: refuse })
  await call('/api', {})
  expect((await call('/api', {})).status).toBe(200)
  expect(sent).toEqual([null, null])
})
