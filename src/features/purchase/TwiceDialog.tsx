import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

interface Props {
  /** Which payment is being confirmed. */
  message: string
  onClose: () => void
  onSure: () => void
}

/** Asks before something is sold while another payment is being confirmed: both could be captured. */
export default function TwiceDialog({ message, onClose, onSure }: Props) {
  return (
    <Dialog title="Pay a second time?" isOpen onClose={onClose}>
      <p>{message}</p>
      <p>If you go on, this is a second payment.</p>
      <div className="dialog-actions">
        <Button onClick={onSure}>Pay again</Button>
        <Button look="primary" onClick={onClose}>
          Wait
        </Button>
      </div>
    </Dialog>
  )
}
