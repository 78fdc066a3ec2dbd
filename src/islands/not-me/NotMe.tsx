import { useStore } from '@nanostores/react'
import { deps } from '../../stores/browser.ts'
import { createNotMe } from '../../stores/not-me.ts'
import { Button } from '../../ui/Button.tsx'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { StatusCard } from '../../ui/StatusCard.tsx'
import { Problem } from '../form/use-form.tsx'

const notMe = createNotMe(deps)

/** /not-me/{token} */
export default withErrorBoundary('this page', NotMe)

function NotMe() {
  const state = useStore(notMe.$notMe, { ssr: 'initial' })
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
        This signs out all devices, stops your password from working, disconnects Google and emails
        you a link to set a new password. Whoever has your Google account can connect it again while
        it has this address, so secure that first. If the email was about a new second step, that
        step is removed. If it is the only one of your account, it stays: write to{' '}
        <a href="/contact">support</a>.
      </p>
    </StatusCard>
  )
}
