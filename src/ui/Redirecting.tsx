import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { takeFocus } from './take-focus.ts'

interface Props {
  /** Where the page leads, and when. */
  children: ReactNode
  isStaying: boolean
  onStay: () => void
}

/** Says that the page will lead elsewhere by itself, and lets the user stay (WCAG 2.2.1). */
export function Redirecting({ children, isStaying, onStay }: Props) {
  if (isStaying) {
    return (
      <p ref={takeFocus} tabIndex={-1}>
        This page stays open.
      </p>
    )
  }
  return (
    <div className="row">
      <div>{children}</div>
      <Button size="small" onClick={onStay}>
        Stay here
      </Button>
    </div>
  )
}
