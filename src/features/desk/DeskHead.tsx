import { useEffect, useRef } from 'react'

const PLACES = [
  { name: 'Today', search: '' },
  { name: 'Tickets', search: '?show=tickets' },
  { name: 'Applications', search: '?show=applications' },
  { name: 'Saved answers', search: '?show=answers' },
  { name: 'Switches', search: '?show=switches' },
]

/** The section that an address belongs to; null for search results, a customer or a dispute. */
function placeOf(query: URLSearchParams): string | null {
  if (query.has('ticket')) return '?show=tickets'
  if (query.has('application')) return '?show=applications'
  if (['user', 'dispute', 'q'].some((name) => query.has(name))) return null
  const show = query.get('show')
  return show === null ? '' : `?show=${show}`
}

/** The head of each page: the places of the desk, and the box that finds everything. */
export function DeskHead({ query }: { query: URLSearchParams }) {
  const here = placeOf(query)
  return (
    <header className="row desk-head no-print">
      <h1>Desk</h1>
      <nav className="desk-nav" aria-label="Desk">
        {PLACES.map(({ name, search }) => (
          <a key={name} href={`/desk${search}`} aria-current={search === here ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <FindBox q={query.get('q') ?? ''} />
    </header>
  )
}

/** One box for everything that has a name, an id or a number. Ctrl or ⌘ with `/` leads to it from anywhere. */
function FindBox({ q }: { q: string }) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      // Not the key alone: dictation types it too (WCAG 2.1.4).
      if (event.key !== '/' || !(event.ctrlKey || event.metaKey)) return
      if (document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      box.current?.select()
    }
    document.addEventListener('keydown', open)
    return () => document.removeEventListener('keydown', open)
  }, [])
  return (
    <form className="desk-find" action="/desk" role="search">
      <label className="visually-hidden" htmlFor="find">
        Find: part of an address or a username, or the beginning of an id or a number
      </label>
      <input
        ref={box}
        className="input"
        id="find"
        name="q"
        type="search"
        defaultValue={q}
        minLength={2}
        required
        autoCapitalize="none"
        spellCheck={false}
        aria-keyshortcuts="Control+/ Meta+/"
        placeholder="Address, pay_, R-12, T-7"
      />
      <kbd aria-hidden="true">Ctrl /</kbd>
    </form>
  )
}
