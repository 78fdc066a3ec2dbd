import type { ReactNode } from 'react'
import { takeFocus } from './take-focus.ts'

interface Props {
  title: string
  children: ReactNode
  actions?: ReactNode
  /** Moves the focus to the title, for cards that replace the focused element. */
  takesFocus?: boolean
  /** In place of the small mark. */
  picture?: ReactNode
}

/** The outcome of an action, with the next step. */
export function StatusCard(props: Props) {
  const { title, children, actions, takesFocus, picture } = props
  return (
    <section className="card status-card">
      {picture ?? <span className="status-card-mark" aria-hidden="true" />}
      <h1 ref={takesFocus ? takeFocus : undefined} tabIndex={-1}>
        {title}
      </h1>
      <div className="status-card-text">{children}</div>
      {actions !== undefined && <div className="row status-card-actions">{actions}</div>}
    </section>
  )
}
