import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

interface Props {
  label: string
  /** What the label is about, for those who hear the button alone. */
  of?: string
  /** The question of the dialog. */
  title: string
  children: ReactNode
  /** Names the action itself, never "OK". */
  yes: string
  no?: string
  isDangerous?: boolean
  size?: 'small'
  onYes: () => Promise<unknown>
}

/** A button that asks in a dialog before it acts. */
export function ConfirmButton(props: Props) {
  const { label, of, title, children, yes, no = 'Cancel', isDangerous, size, onYes } = props
  const [isAsking, setIsAsking] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const handleClose = () => setIsAsking(false)
  const handleYes = async () => {
    setIsBusy(true)
    await onYes()
    setIsBusy(false)
    setIsAsking(false)
  }
  return (
    <>
      <Button
        size={size}
        isBusy={isBusy}
        aria-label={of && `${label} ${of}`}
        onClick={() => setIsAsking(true)}
      >
        {label}
      </Button>
      <Dialog title={title} isOpen={isAsking} onClose={handleClose}>
        <p>{children}</p>
        <div className="dialog-actions">
          <Button isBusy={isBusy} onClick={handleClose}>
            {no}
          </Button>
          <Button
            look={isDangerous ? 'danger' : 'primary'}
            isBusy={isBusy}
            busyLabel="One moment…"
            onClick={() => void handleYes()}
          >
            {yes}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
