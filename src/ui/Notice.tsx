import type { ReactNode } from 'react'

interface Props {
  tone: 'error' | 'success' | 'quiet'
  children: ReactNode
  actions?: ReactNode
}

/** A sentence that stays until something changes. Errors are announced at once, the rest in their turn. */
export function Notice({ tone, children, actions }: Props) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'error' ? 'alert' : 'status'}>
      <div className="notice-text">{children}</div>
      {actions !== undefined && <div className="notice-actions">{actions}</div>}
    </div>
  )
}
