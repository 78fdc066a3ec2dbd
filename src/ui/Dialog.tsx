import type { ReactNode } from 'react'
import { useEffect, useId, useLayoutEffect, useRef } from 'react'
import { keepFocus } from './take-focus.ts'

interface Props {
  title: string
  isOpen: boolean
  onClose: () => void
  children: ReactNode
  /** True for dialogs with a form. */
  isWide?: boolean
  /** There is something to read or scan before the first field, so the heading takes the focus. */
  startsAtHeading?: boolean
  /** Only the caller closes the dialog, because its content is shown only once. */
  isLocked?: boolean
}

/**
 * A native modal dialog: the browser traps and restores the focus and makes the rest of the page inert. While a button of
 * its `.dialog-actions` is busy, only the caller closes it.
 */
export function Dialog(props: Props) {
  const { title, isOpen, onClose, children, isWide, startsAtHeading, isLocked } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const pressedOutside = useRef(false)
  const titleId = useId()
  const isHeld = () =>
    isLocked || dialog.current?.querySelector('.dialog-actions [aria-disabled]') != null

  useEffect(() => {
    const element = dialog.current
    if (element === null) return
    if (isOpen && !element.open) {
      element.showModal()
      // Otherwise the browser focuses the close button.
      element.querySelector<HTMLElement>(startsAtHeading ? 'h2' : FIRST)?.focus()
    }
    if (!isOpen) close(element)
  })
  // Browsers restore no focus after an open dialog that is taken away.
  useLayoutEffect(() => {
    const element = dialog.current
    return () => close(element)
  }, [])

  return (
    <dialog
      ref={dialog}
      className={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (isHeld()) event.preventDefault()
      }}
      onClose={(event) => {
        if (!isOpen) return
        // Browsers close a dialog at a second Esc even if the first was refused. One inside a closed dialog cannot show.
        const isLost = event.currentTarget.parentElement?.closest('dialog:not([open])')
        if (isHeld() && !isLost) event.currentTarget.showModal()
        else {
          const section = event.currentTarget.closest('section')
          onClose()
          // Until it is rendered anew, what had the focus in the dialog keeps it.
          requestAnimationFrame(() => keepFocus(section))
        }
      }}
      onPointerDown={(event) => {
        pressedOutside.current = event.target === dialog.current
      }}
      onClick={(event) => {
        // A selection that is dragged out of the dialog ends outside but did not begin there.
        const isOutside = event.target === dialog.current && pressedOutside.current
        if (isOutside && !isHeld()) onClose()
      }}
    >
      <div className="dialog-body">
        <header className="dialog-head">
          <h2 id={titleId} tabIndex={startsAtHeading ? -1 : undefined}>
            {title}
          </h2>
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

const FIRST = '[name]:not([type=radio]:not(:checked)), .dialog-actions .button'

/** What opened the dialog may be gone: then the focus stays near it. */
function close(element: HTMLDialogElement | null) {
  if (!element?.open) return
  element.close()
  keepFocus(element.closest('section'))
}
