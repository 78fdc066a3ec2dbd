import { useStore } from '@nanostores/react'
import { factorsEndpoint } from '../../contract/factor.ts'
import { createAccountDeletion } from '../../stores/account-deletion.ts'
import { deps, session } from '../../stores/browser.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { stepUp } from '../factors/StepUp.tsx'
import { Problem, useForm } from '../form/use-form.tsx'
import { Loaded, useResource } from '../resource/Loaded.tsx'

const deletion = createAccountDeletion({ ...deps, call: stepUp.call })

interface Props {
  isOpen: boolean
  onClose: () => void
}

export default function DeleteDialog({ isOpen, onClose }: Props) {
  const forms = [deletion.withPassword, deletion.withoutPassword]
  const isWithSending = useStore(deletion.withPassword.$form).isSubmitting
  const isWithoutSending = useStore(deletion.withoutPassword.$form).isSubmitting
  const close = () => {
    onClose()
    for (const form of forms) form.reset()
  }
  return (
    <Dialog
      title="Delete your account?"
      isOpen={isOpen}
      isLocked={isWithSending || isWithoutSending}
      onClose={close}
    >
      <p>
        This cannot be undone. Your profile and your sessions are deleted, and your messages from
        this address if you verified it. Remaining tokens are lost: if you want a refund, get it
        first. Receipts are kept as the law requires.
      </p>
      <Deletion onCancel={close} />
    </Dialog>
  )
}

function Deletion({ onCancel }: { onCancel: () => void }) {
  const factors = useResource(() => session.call(factorsEndpoint, {}))
  return (
    <Loaded resource={factors} loading="One moment…">
      {({ hasPassword }) =>
        hasPassword ? <PasswordForm onCancel={onCancel} /> : <WithoutPassword onCancel={onCancel} />
      }
    </Loaded>
  )
}

function PasswordForm({ onCancel }: { onCancel: () => void }) {
  const { state, bind, frame, submit } = useForm(deletion.withPassword)
  return (
    <form {...frame} className="form">
      <p>Enter your password to continue.</p>
      <Problem text={state.problem} />
      <PasswordField {...bind('password')} label="Password" autoComplete="current-password" />
      <Actions submit={submit} onCancel={onCancel} />
    </form>
  )
}

/** For an account that signs in with Google only. The server asks for a new sign-in when the last one is too old. */
function WithoutPassword({ onCancel }: { onCancel: () => void }) {
  const { state, frame, submit } = useForm(deletion.withoutPassword)
  return (
    <form {...frame} className="form">
      <Problem text={state.problem} />
      <Actions submit={submit} onCancel={onCancel} />
    </form>
  )
}

type ActionsProps = Pick<ReturnType<typeof useForm>, 'submit'> & { onCancel: () => void }

function Actions({ submit, onCancel }: ActionsProps) {
  return (
    <div className="dialog-actions">
      <Button onClick={onCancel} isBusy={submit.isBusy}>
        Keep my account
      </Button>
      <Button {...submit} look="danger" busyLabel="Deleting…">
        Delete my account
      </Button>
    </div>
  )
}
