import { createRegistration } from './registration.ts'
import { AcceptedTerms } from '../../ui/AcceptedTerms.tsx'
import { Button } from '../../ui/Button.tsx'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { GoogleButton } from '../sign-in/GoogleButton.tsx'
import { NewPassword } from '../form/NewPassword.tsx'
import { Problem, useForm } from '../form/use-form.tsx'

const registration = createRegistration()

/** /register */
export default withErrorBoundary('the registration form', Register)

function Register() {
  const form = useForm(registration)
  const { state, bind, formProps, submitProps } = form
  return (
    <>
      <form {...formProps} className="form">
        <Problem text={state.problem} />
        <TextField {...bind('username')} label="Username" autoComplete="nickname" isVerbatim />
        <TextField
          {...bind('email')}
          label="Email"
          type="email"
          autoComplete="username"
          isVerbatim
        />
        <NewPassword form={form} label="Password" />
        <Button {...submitProps} isWide busyLabel="Creating your account…">
          Create account
        </Button>
        <p className="small muted">You must be 18 or older.</p>
        <AcceptedTerms by="creating an account, here or with Google" />
      </form>
      <p className="divider">or</p>
      <GoogleButton label="Sign up with Google" />
    </>
  )
}
