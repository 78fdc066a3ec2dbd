import type { ReactNode } from 'react'

interface Props {
  tone: 'green' | 'gray' | 'red' | 'orange'
  children: ReactNode
}

export function Badge({ tone, children }: Props) {
  return <span className={`badge badge-${tone}`}>{children}</span>
}
