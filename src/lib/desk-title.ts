const ONE_THING = {
  dispute: 'Dispute ',
  user: 'Account ',
  ticket: 'Ticket T-',
  application: 'Application A-',
  q: 'Find: ',
} as const

const LISTS = new Map([
  ['tickets', 'Tickets'],
  ['applications', 'Applications'],
  ['answers', 'Saved answers'],
  ['switches', 'Switches'],
])

/** The title of an address of the desk, which tells tabs and history entries apart; null for its first page. */
export function deskTitle(search: string): string | null {
  const query = new URLSearchParams(search)
  for (const [name, words] of Object.entries(ONE_THING)) {
    const value = query.get(name) ?? ''
    if (value !== '') return words + value
  }
  return LISTS.get(query.get('show') ?? '') ?? null
}
