import type { ReactNode } from 'react'
import { useId } from 'react'

interface Props {
  title: ReactNode
  /** Beside the title. */
  action?: ReactNode
  className?: string
  children: ReactNode
}

/** A card with a heading that names it. */
export function Panel({ title, action, className = '', children }: Props) {
  const id = useId()
  const heading = (
    <h2 id={id} className="breakable">
      {title}
    </h2>
  )
  return (
    <section className={`card panel ${className}`.trim()} aria-labelledby={id}>
      {action === undefined ? (
        heading
      ) : (
        <div className="row panel-head">
          {heading}
          {action}
        </div>
      )}
      {children}
    </section>
  )
}
