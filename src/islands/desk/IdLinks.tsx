/** A fact of an alarm; what Find knows in it is a link to what Find says about it. */
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
