/** `in_talks` and `backend-engineer` as a person writes them. */
export function wordsOf(name: string): string {
  return name.replaceAll(/[_-]/g, ' ')
}

/** The page of what has a kind, a name and perhaps an account; null when it has none. */
export function pageOf(kind: string, name: string, userId: string | null): string | null {
  if (kind === 'ticket' || kind === 'application') return `/desk?${kind}=${name.slice(2)}`
  return userId === null ? null : `/desk?user=${userId}`
}

/** A name that links to its page, when it has one. */
export function Named({ page, name }: { page: string | null; name: string }) {
  return page === null ? name : <a href={page}>{name}</a>
}

/** A link to the evidence for a dispute, behind other facts. */
export function EvidenceLink({ disputeId }: { disputeId: string }) {
  return (
    <>
      {' · '}
      <a href={`/desk?dispute=${disputeId}`}>Evidence</a>
    </>
  )
}

/** A fact of an alarm. An id in it that Find knows links to what Find says about it. */
export function IdLinks({ text, ids }: { text: string; ids: readonly string[] }) {
  const id = ids.find((one) => text.includes(one))
  if (id === undefined) return text
  const start = text.indexOf(id)
  return (
    <>
      {text.slice(0, start)}
      <a href={`/desk?${new URLSearchParams({ q: id }).toString()}`}>{id}</a>
      {text.slice(start + id.length)}
    </>
  )
}
