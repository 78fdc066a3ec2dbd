/** Ids that Find knows, as logs and alarms write them; also in a longer one, as `mail-receipt:pur_…`. */
const ID = /\b((?:usr|pur|pay|order|plink|rfnd|disp)_\w+)/

/** A text whose ids are links to what Find knows about them. */
export function IdLinks({ text }: { text: string }) {
  // A text that is split by a group has what the group matched at its odd places.
  return text.split(ID).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <a
        key={`${part} ${String(index)}`}
        href={`/desk?${new URLSearchParams({ q: part }).toString()}`}
      >
        {part}
      </a>
    ),
  )
}
