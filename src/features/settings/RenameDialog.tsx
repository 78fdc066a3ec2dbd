import { useState } from 'react'
import { type Passkey, RenamePasskeyInput } from '../../contract/factor.ts'
import { TextField } from '../../ui/TextField.tsx'
import { createForm } from '../form/form.ts'
import { FormDialog } from '../form/FormDialog.tsx'
import { session } from '../session/session.ts'

interface Props {
  passkey: Passkey
  isOpen: boolean
  onClose: () => void
  onRenamed: (answer: { message?: string | undefined }) => Promise<void>
}

/** Its script loads when the user opens it. */
export default function RenameDialog({ passkey: { id, name }, onRenamed, ...dialog }: Props) {
  const [form] = useState(() =>
    createForm({
      schema: RenamePasskeyInput,
      initial: { name },
      send: (body) =>
        session.call('PATCH /api/auth/factors/passkeys/{id}', { params: { id }, body }),
      onSuccess: (answer) => {
        dialog.onClose()
        void onRenamed(answer)
      },
    }),
  )
  return (
    <FormDialog {...dialog} title="Rename the passkey" form={form} yes="Save" busyLabel="Saving…">
      {({ bind }) => <TextField {...bind('name')} label="Name" autoComplete="off" />}
    </FormDialog>
  )
}
