import { useState } from 'react'
import { createAccountDeletion } from '../../stores/account-deletion.ts'
import { deps } from '../../stores/browser.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { stepUp } from '../factors/StepUp.tsx'
import { FormDialog } from '../form/FormDialog.tsx'

interface Props {
  hasPassword: boolean
  isOpen: boolean
  onClose: () => void
}

export default function DeleteDialog({ hasPassword, ...dialog }: Props) {
  const [form] = useState(() => createAccountDeletion({ ...deps, call: stepUp.call }, hasPassword))
  return (
    <FormDialog
      {...dialog}
      title="Delete your account?"
      form={form}
      yes="Delete my account"
      no="Keep my account"
      busyLabel="Deleting…"
      look="danger"
    >
      {({ bind }) => (
        <>
          <p>
            This cannot be undone. Your profile and your sessions are deleted, and your messages
            from this address if you verified it. Remaining tokens are lost: if you want a refund,
            get it first. Receipts are kept as the law requires.
          </p>
          {hasPassword && (
            <>
              <p>Enter your password to continue.</p>
              <PasswordField
                {...bind('password')}
                label="Password"
                autoComplete="current-password"
              />
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}
