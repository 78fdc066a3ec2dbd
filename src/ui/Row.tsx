import type { ReactNode } from 'react'

interface Props {
  children: ReactNode
  /** Below it. */
  note?: ReactNode
  /** Below the note. */
  more?: ReactNode
  /** Beside all. */
  action?: ReactNode
}

/** An item of a list: its name, facts about it, and what can be done with it. */
export function Row({ children, note, more, action }: Props) {
  return (
    <li>
      <div>
        <p>{children}</p>
        {note != null && <p className="row-note">{note}</p>}
        {more != null && <p className="row-note">{more}</p>}
      </div>
      {action}
    </li>
  )
}
