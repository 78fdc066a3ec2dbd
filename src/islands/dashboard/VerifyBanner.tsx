import { useStore } from '@nanostores/react'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { resend } from './store.ts'

/** One quiet line while the address is not verified. */
export function VerifyBanner({ email }: { email: string }) {
  const state = useStore(resend.$resend)
  const sendAgain = (
    <Button
      size="small"
      isBusy={state === 'sending'}
      busyLabel="Sending…"
      onClick={() => void resend.sendAgain()}
    >
      Send again
    </Button>
  )
  return (
    <Notice tone="quiet" actions={state === 'sent' ? <span>Sent</span> : sendAgain}>
      Please verify your email: we sent a link to <strong className="breakable">{email}</strong>.
    </Notice>
  )
}
