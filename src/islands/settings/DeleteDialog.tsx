import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Problem } from '../form/Problem.tsx'
import { useForm } from '../form/use-form.ts'
import { accountData } from './security-store.ts'

interface Props {
  isOpen: boolean
  onClose: () => void
}

export default function DeleteDialog({ isOpen, onClose }: Props) {
  const close = () => {
    onClose()
    accountData.deletion.reset()
  }
  return (
    <Dialog title="Delete your account?" isOpen={isOpen} onClose={close}>
      <DeleteForm onCancel={close} />
    </Dialog>
  )
}

function DeleteForm({ onCancel }: { onCancel: () => void }) {
  const { state, bind, frame } = useForm(accountData.deletion)
  return (
    <form {...frame} className="form">
      <p>
        This cannot be undone. Your profile, your sessions and what you wrote to us from this
        address go; receipts stay for as long as tax law asks. Enter your password to go on.
      </p>
      <Problem text={state.problem} />
      <PasswordField {...bind('password')} label="Password" autoComplete="current-password" />
      <div className="dialog-actions">
        <Button onClick={onCancel}>Keep my account</Button>
        <Button type="submit" look="danger" isBusy={state.isSubmitting} busyLabel="Deleting…">
          Delete my account
        </Button>
      </div>
    </form>
  )
}
