import type { ReactNode } from 'react'

/** One name and value of a definition list. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="breakable">{children}</dd>
    </div>
  )
}
