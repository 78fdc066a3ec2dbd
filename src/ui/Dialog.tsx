import type { ReactNode } from 'react'
import { useEffect, useId, useRef } from 'react'

interface Props {
  title: string
  isOpen: boolean
  onClose: () => void
  children: ReactNode
  /** True for dialogs with a form. */
  isWide?: boolean
  /** True while something runs: the user cannot close the dialog. */
  isLocked?: boolean
}

/** A native modal dialog: the browser traps and restores the focus and makes the rest of the page inert. */
export function Dialog({ title, isOpen, onClose, children, isWide, isLocked }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useEffect(() => {
    const element = dialog.current
    if (element === null) return
    if (isOpen && !element.open) {
      element.showModal()
      // Otherwise the browser focuses the close button.
      element.querySelector<HTMLElement>('[name], .dialog-actions .button')?.focus()
    }
    if (!isOpen && element.open) element.close()
  })

  return (
    <dialog
      ref={dialog}
      className={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (isLocked) event.preventDefault()
      }}
      onClose={() => {
        if (isOpen) onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current && !isLocked) onClose()
      }}
    >
      <div className="dialog-body">
        <header className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <button
            type="button"
            className="dialog-close"
            aria-label="Close"
            disabled={isLocked}
            onClick={onClose}
          >
            ×
          </button>
        </header>
        {isOpen && children}
      </div>
    </dialog>
  )
}
