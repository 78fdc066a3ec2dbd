import { useStore } from '@nanostores/react'
import { createForgottenPassword } from './forgotten-password.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { StatusCard } from '../../ui/StatusCard.tsx'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Problem, useForm } from '../form/use-form.tsx'

const forgotten = createForgottenPassword()

/** /forgot-password */
export default withErrorBoundary('this form', ForgotPassword)

function ForgotPassword() {
  const sentTo = useStore(forgotten.$sentTo, { ssr: 'initial' })
  return sentTo === null ? <EmailForm /> : <Sent to={sentTo} />
}

function EmailForm() {
  const { state, bind, formProps, submitProps } = useForm(forgotten.form)
  return (
    <>
      <header className="stack narrow-head">
        <h1>Forgot your password?</h1>
        <p>Enter your email and we’ll send you a link to set a new one.</p>
      </header>
      <form {...formProps} className="form">
        <Problem text={state.problem} />
        <TextField
          {...bind('email')}
          label="Email"
          type="email"
          autoComplete="username"
          isVerbatim
        />
        <Button {...submitProps} isWide busyLabel="Sending…">
          Send reset link
        </Button>
      </form>
      <p className="narrow-foot">
        <a href="/login">Back to Login</a>
      </p>
    </>
  )
}

function Sent({ to }: { to: string }) {
  return (
    <StatusCard
      title="Check Your Email"
      picture="mailed"
      takesFocus
      actions={
        <>
          <Button look="primary" onClick={forgotten.sendAnother}>
            Send Another Email
          </Button>
          <ButtonLink href="/login">Back to Login</ButtonLink>
        </>
      }
    >
      <p>
        If <strong>{to}</strong> belongs to an account, a reset link is on its way. It works for one
        hour. Check your spam folder too.
      </p>
    </StatusCard>
  )
}
