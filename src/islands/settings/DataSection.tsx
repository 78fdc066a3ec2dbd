import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { saveFile } from '../../lib/save-file.ts'
import { createAccountData } from '../../stores/account-data.ts'
import { deps } from '../../stores/browser.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Problem } from '../form/Problem.tsx'
import { useForm } from '../form/use-form.ts'
import { stepUp } from './step-up.ts'

const accountData = createAccountData({
  ...deps,
  saveFile: (name, text) => {
    saveFile(name, text, 'application/json')
  },
  confirmed: stepUp.confirmed,
})

export function DataSection() {
  const isExporting = useStore(accountData.$isExporting)
  const [isDeleting, setIsDeleting] = useState(false)
  return (
    <section className="card panel" aria-labelledby="data-title">
      <h2 id="data-title">Your data</h2>
      <p>Everything we store about you, as one JSON file.</p>
      <Button
        isBusy={isExporting}
        busyLabel="Preparing the file…"
        onClick={() => void accountData.exportData()}
      >
        Export my data
      </Button>
      <h3>Delete account</h3>
      <p>
        Your profile, sessions and usage are erased, and the tokens left are lost. Receipts are kept
        as the law asks.
      </p>
      <Button
        look="danger"
        onClick={() => {
          setIsDeleting(true)
        }}
      >
        Delete my account
      </Button>
      <DeleteDialog
        isOpen={isDeleting}
        onClose={() => {
          setIsDeleting(false)
        }}
      />
    </section>
  )
}

function DeleteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
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
