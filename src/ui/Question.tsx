import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

interface Props {
  title: string
  isOpen: boolean
  children: ReactNode
  /** What the button that goes on says: the deed itself, never "OK". */
  yes: string
  no?: string
  isDangerous?: boolean
  onYes: () => Promise<unknown>
  onClose: () => void
}

/** Asks before something that is not easily taken back. */
export function Question(props: Props) {
  const { title, isOpen, children, yes, no = 'Cancel', isDangerous, onYes, onClose } = props
  const [isBusy, setIsBusy] = useState(false)
  const handleYes = async () => {
    setIsBusy(true)
    await onYes()
    setIsBusy(false)
    onClose()
  }
  return (
    <Dialog title={title} isOpen={isOpen} isLocked={isBusy} onClose={onClose}>
      <p>{children}</p>
      <div className="dialog-actions">
        <Button isBusy={isBusy} onClick={onClose}>
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
  )
}
