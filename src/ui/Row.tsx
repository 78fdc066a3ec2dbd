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
        {note != null && <p className="small muted">{note}</p>}
        {more != null && <p className="small muted">{more}</p>}
      </div>
      {action}
    </li>
  )
}
