import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { session } from '../session/session.ts'
import { createPasswordReset } from './password-reset.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Redirecting } from '../../ui/Redirecting.tsx'
import { StatusCard } from '../../ui/StatusCard.tsx'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Username } from '../../ui/Username.tsx'
import { NewPassword } from '../form/NewPassword.tsx'
import { Problem, useForm } from '../form/use-form.tsx'

const reset = createPasswordReset()

/** /reset-password/{token} */
export default withErrorBoundary('this form', ResetPassword)

function ResetPassword() {
  const isDone = useStore(reset.$isDone, { ssr: 'initial' })
  const rejection = useStore(reset.$rejection, { ssr: 'initial' })
  useEffect(() => void checkLink(), [])
  if (isDone) return <Done />
  return rejection === null ? <NewPasswordForm /> : <LinkRejected message={rejection} />
}

/** Signed-in users are redirected to the dashboard, so their link is not checked. */
async function checkLink() {
  const { status } = await session.whenKnown()
  if (status === 'guest') await reset.checkLink()
}

function LinkRejected({ message }: { message: string }) {
  return (
    <StatusCard
      title="This link does not work"
      picture="broken"
      takesFocus
      next={['Request a new link', '/forgot-password']}
      actions={<ButtonLink href="/login">Back to Login</ButtonLink>}
    >
      <p role="alert">{message}</p>
    </StatusCard>
  )
}

function NewPasswordForm() {
  const form = useForm(reset.form)
  const { state, formProps, submitProps } = form
  return (
    <>
      <header className="stack narrow-head">
        <h1>Set a new password</h1>
        <p>You will then have to sign in again on all your devices.</p>
      </header>
      <form {...formProps} className="form">
        <Problem text={state.problem} />
        <Username email={useStore(reset.$email, { ssr: 'initial' })} />
        <NewPassword form={form} label="New password" />
        <Button {...submitProps} isWide busyLabel="Saving…">
          Reset password
        </Button>
      </form>
      <p className="narrow-foot">
        <a href="/forgot-password">Request a new link</a> · <a href="/login">Back to Login</a>
      </p>
    </>
  )
}

function Done() {
  const isStaying = useStore(reset.redirect.$isStaying, { ssr: 'initial' })
  return (
    <StatusCard
      title="Your new password is set"
      picture="password"
      takesFocus
      next={['Go to Login', '/login']}
    >
      <Redirecting isStaying={isStaying} onStay={reset.redirect.stay}>
        <p>Taking you to the sign-in page in 3 seconds.</p>
      </Redirecting>
    </StatusCard>
  )
}
