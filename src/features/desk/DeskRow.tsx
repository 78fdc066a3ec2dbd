import type { ReactNode } from 'react'

interface Props {
  /** Whose it is and what it is about, cut where the line ends. */
  subject: ReactNode
  badge?: ReactNode
  /** Its id or number. */
  id?: string | undefined
  amount?: ReactNode
  time: ReactNode
  action?: ReactNode
  /** Below the line. */
  below?: ReactNode
}

/** One line of a list of the desk. The columns of all rows are aligned. */
export function DeskRow({ subject, badge, id, amount, time, action, below }: Props) {
  return (
    <li>
      <div className="desk-subject">{subject}</div>
      <span>{badge}</span>
      <span className="desk-id">{id}</span>
      <span className="desk-amount">{amount}</span>
      <span className="desk-time">{time}</span>
      <div className="desk-acts">{action}</div>
      {below}
    </li>
  )
}
