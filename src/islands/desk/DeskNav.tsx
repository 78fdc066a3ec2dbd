const PLACES = [
  { name: 'Today', search: '' },
  { name: 'Tickets', search: '?show=tickets' },
  { name: 'Applications', search: '?show=applications' },
  { name: 'Saved answers', search: '?show=answers' },
  { name: 'Switches', search: '?show=switches' },
]

/** The place that an address belongs to; null for a customer or a dispute, which belong to none. */
function placeOf(query: URLSearchParams): string | null {
  if (query.has('ticket')) return '?show=tickets'
  if (query.has('application')) return '?show=applications'
  if (query.has('user') || query.has('dispute')) return null
  const show = query.get('show')
  return show === null ? '' : `?show=${show}`
}

/** The places of the desk. */
export function DeskNav({ query }: { query: URLSearchParams }) {
  const here = placeOf(query)
  return (
    <nav className="desk-nav no-print" aria-label="Desk">
      {PLACES.map(({ name, search }) => (
        <a key={name} href={`/desk${search}`} aria-current={search === here ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}

/** `in_talks` and `backend-engineer` as a person writes them. */
export function wordsOf(name: string): string {
  return name.replaceAll(/[_-]/g, ' ')
}
