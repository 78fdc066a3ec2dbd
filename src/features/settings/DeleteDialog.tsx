import { useState } from 'react'
import { AUTH } from '../../contract/messages.ts'
import { PasswordTyped } from '../../contract/password.ts'
import { z } from '../../contract/zod.ts'
import { createForm } from '../form/form.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Username } from '../../ui/Username.tsx'
import { stepUp } from '../factors/step-up.ts'
import { FormDialog } from '../form/FormDialog.tsx'
import { session } from '../session/session.ts'
import { useUser } from '../session/use-user.ts'
import { toasts } from '../toasts/toasts.ts'

interface Props {
  hasPassword: boolean
  isOpen: boolean
  onClose: () => void
}

/** Without a password the server may ask for a new sign-in instead. */
const createDeletion = (hasPassword: boolean) =>
  createForm({
    schema: hasPassword ? z.object({ password: PasswordTyped }) : z.object({}),
    initial: { password: '' },
    passwordField: 'password',
    send: (body) => stepUp.call('POST /api/auth/delete-account', { body }),
    onSuccess: () => {
      toasts.success(AUTH.accountDeleted)
      session.leave()
    },
  })

export default function DeleteDialog({ hasPassword, ...dialog }: Props) {
  const [form] = useState(() => createDeletion(hasPassword))
  const email = useUser()?.email ?? ''
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
            from this address if you verified it.
          </p>
          <p>
            Remaining tokens are lost: if you want a refund, get it first. If one is on its way, we
            write about it to the address on the receipt, or to the one that Razorpay has for the
            payment. <a href="/privacy#what-deletion-leaves">What deletion leaves</a>
          </p>
          {hasPassword && (
            <>
              <Username email={email} />
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
