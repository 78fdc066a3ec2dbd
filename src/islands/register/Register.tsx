import { checkPassword } from '../../contract/password.ts'
import { deps } from '../../stores/browser.ts'
import { createRegistration } from '../../stores/registration.ts'
import { AcceptedTerms } from '../../ui/AcceptedTerms.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { GoogleButton } from '../form/GoogleButton.tsx'
import { Problem } from '../form/Problem.tsx'
import { useForm } from '../form/use-form.ts'

const registration = createRegistration(deps)

/** /register */
export default function Register() {
  return (
    <ErrorBoundary of="the registration form">
      <RegisterForm />
      <p className="divider">or</p>
      <GoogleButton label="Sign up with Google" />
    </ErrorBoundary>
  )
}

function RegisterForm() {
  const { state, bind, frame } = useForm(registration)
  return (
    <form {...frame} className="form">
      <Problem text={state.problem} />
      <TextField {...bind('username')} label="Username" autoComplete="nickname" isVerbatim />
      <TextField {...bind('email')} label="Email" type="email" autoComplete="username" isVerbatim />
      <PasswordField
        {...bind('password')}
        label="Password"
        autoComplete="new-password"
        rules={checkPassword(state.values.password)}
      />
      <PasswordField
        {...bind('confirmPassword')}
        label="Confirm password"
        autoComplete="new-password"
      />
      <Button
        type="submit"
        look="primary"
        isWide
        isBusy={state.isSubmitting}
        busyLabel="Creating your account…"
      >
        Create account
      </Button>
      <p className="small muted">You need to be 18 or older.</p>
      <AcceptedTerms by="creating an account, here or with Google," />
    </form>
  )
}
