import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { createNotMe } from './not-me.ts'
import { Button } from '../../ui/Button.tsx'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { StatusCard } from '../../ui/StatusCard.tsx'
import { Problem } from '../form/use-form.tsx'

const notMe = createNotMe()

/** /not-me/{token} */
export default withErrorBoundary('this page', NotMe)

function NotMe() {
  const state = useStore(notMe.$notMe, { ssr: 'initial' })
  useEffect(notMe.check, [])
  if (state.step === 'done') {
    return (
      <StatusCard title="Your account is locked" takesFocus>
        <p>{state.message}</p>
      </StatusCard>
    )
  }
  if (state.step === 'refused') {
    return (
      <StatusCard
        title="This link does not work"
        picture="broken"
        takesFocus
        next={['Reset your password', '/forgot-password']}
      >
        <p role="alert">{state.message}</p>
      </StatusCard>
    )
  }
  return (
    <StatusCard
      title="Was this not you?"
      actions={
        <Button
          look="danger"
          isBusy={state.isSending}
          busyLabel="Locking…"
          onClick={() => void notMe.lock()}
        >
          Lock my account
        </Button>
      }
    >
      <Problem text={state.problem} />
      <p>
        This locks your account: it signs out all devices, disconnects Google and emails you a link
        to set a new password. Until you do, nobody can sign in. If you got several of these emails,
        begin with the oldest: it undoes the most.
      </p>
      <p>
        If your account had no second step before the email, every passkey, authenticator app and
        recovery code added since is removed. If it had one and that is still there, only what was
        added since goes. If it is gone, nothing is removed, because your mailbox alone must not
        open the account. We cannot open it either. For an owner who proves it,{' '}
        <a href="/contact">support</a> can suspend it, send a copy of its data, refund by the
        published formula, and give its tokens to a new account.
      </p>
    </StatusCard>
  )
}
