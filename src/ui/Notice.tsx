import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { leave, takeFocus } from './take-focus.ts'

interface Props {
  tone: 'error' | 'success' | 'muted'
  children: ReactNode
  actions?: ReactNode
  /** Moves the focus to the message, because the pressed button is out of view or gone. */
  takesFocus?: boolean
}

/** A message that stays until something changes. Screen readers announce errors at once. */
export function Notice({ tone, children, actions, takesFocus }: Props) {
  return (
    <div
      className={`notice notice-${tone}`}
      role={tone === 'error' ? 'alert' : 'status'}
      {...(takesFocus && { ref: takeFocus, tabIndex: -1 })}
    >
      <div className="notice-text">{children}</div>
      {actions && <div className="notice-actions">{actions}</div>}
    </div>
  )
}

interface RetryProps {
  children: ReactNode
  onRetry: () => Promise<unknown>
}

/** Says that something did not load, with a button that loads it again. */
export function RetryNotice({ children, onRetry }: RetryProps) {
  const retry = (
    <Button
      size="small"
      onClick={({ currentTarget }) => {
        leave(currentTarget)
        void onRetry()
      }}
    >
      Try Again
    </Button>
  )
  return (
    <Notice tone="error" actions={retry}>
      {children}
    </Notice>
  )
}
