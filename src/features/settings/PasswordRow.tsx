import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { onDemand, useEver } from '../../ui/on-demand.tsx'
import { Row } from '../../ui/Row.tsx'

const PasswordDialog = onDemand('the password form', () => import('./PasswordDialog.tsx'))

interface Props {
  hasPassword: boolean
  onChanged: () => void
}

/** The password of the account, and changing it in a dialog. */
export function PasswordRow({ hasPassword, onChanged }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const isUsed = useEver(isOpen)
  return (
    <Row
      note={
        hasPassword ? 'Set' : 'Not set. To set one, sign out and choose “Forgot your password?”.'
      }
      action={
        hasPassword && (
          <>
            <Button size="small" onClick={() => setIsOpen(true)}>
              Change password
            </Button>
            {isUsed && (
              <PasswordDialog
                isOpen={isOpen}
                onClose={() => setIsOpen(false)}
                onChanged={onChanged}
              />
            )}
          </>
        )
      }
    >
      Password
    </Row>
  )
}
