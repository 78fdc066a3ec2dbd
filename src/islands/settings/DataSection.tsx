import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { factorsEndpoint } from '../../contract/factor.ts'
import { saveFile } from '../../lib/save-file.ts'
import { createAccountData } from '../../stores/account-data.ts'
import { deps, session } from '../../stores/browser.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Problem, useForm } from '../form/use-form.tsx'
import { stepUp } from '../factors/StepUp.tsx'
import { Loaded, useResource } from '../resource/Loaded.tsx'

const accountData = createAccountData({
  ...deps,
  call: stepUp.call,
  saveFile: (name, text) => saveFile(name, text, 'application/json'),
})

export function DataSection() {
  const isExporting = useStore(accountData.dataExport.$isBusy)
  const [isDeleting, setIsDeleting] = useState(false)
  return (
    <Panel title="Your data">
      <p>Everything we store about you, as one JSON file.</p>
      <Button
        isBusy={isExporting}
        busyLabel="Preparing the file…"
        onClick={() => void accountData.dataExport.run()}
      >
        Export my data
      </Button>
      <h3>Delete account</h3>
      <p>
        Your profile, sessions and usage are erased, and the tokens left are lost. Receipts are kept
        as the law requires.
      </p>
      <Button look="danger" onClick={() => setIsDeleting(true)}>
        Delete my account
      </Button>
      <DeleteDialog isOpen={isDeleting} onClose={() => setIsDeleting(false)} />
    </Panel>
  )
}

function DeleteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const close = () => {
    onClose()
    accountData.deletion.reset()
  }
  return (
    <Dialog title="Delete your account?" isOpen={isOpen} onClose={close}>
      <p>
        This cannot be undone. Your profile, your sessions and your messages from this address are
        deleted; receipts are kept as the law requires.
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
  const { state, bind, frame, submit } = useForm(accountData.deletion)
  return (
    <form {...frame} className="form">
      <p>Enter your password to go on.</p>
      <Problem text={state.problem} />
      <PasswordField {...bind('password')} label="Password" autoComplete="current-password" />
      <div className="dialog-actions">
        <Button onClick={onCancel}>Keep my account</Button>
        <Button {...submit} look="danger" busyLabel="Deleting…">
          Delete my account
        </Button>
      </div>
    </form>
  )
}

/** Of an account that signs in with Google only. The server asks for a new sign-in when the last one is some time ago. */
function WithoutPassword({ onCancel }: { onCancel: () => void }) {
  const { $isBusy, run } = accountData.deletionWithoutPassword
  const isBusy = useStore($isBusy)
  return (
    <div className="dialog-actions">
      <Button onClick={onCancel}>Keep my account</Button>
      <Button look="danger" isBusy={isBusy} busyLabel="Deleting…" onClick={() => void run()}>
        Delete my account
      </Button>
    </div>
  )
}
