import type { SignInStore } from './sign-in.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Problem, useForm } from '../form/use-form.tsx'

interface Props {
  form: SignInStore
  hasRememberMe: boolean
  /** Called when somebody begins to fill in the form: the browser may offer passkeys from then on. */
  onBegin: () => void
}

/** Email and password, with which browsers offer passkeys too. */
export function SignInForm({ form, hasRememberMe, onBegin }: Props) {
  const { state, bind, formProps, submitProps } = useForm(form)
  return (
    <form {...formProps} className="form" onFocus={onBegin}>
      <Problem text={state.problem} />
      <TextField
        {...bind('email')}
        label="Email"
        type="email"
        autoComplete="username webauthn"
        isVerbatim
      />
      <PasswordField {...bind('password')} label="Password" autoComplete="current-password" />
      <div className="row form-row">
        {hasRememberMe && <Checkbox {...bind('rememberMe')} label="Remember me" />}
        <a href="/forgot-password">Forgot your password?</a>
      </div>
      <Button {...submitProps} isWide busyLabel="Signing in…">
        Sign in
      </Button>
    </form>
  )
}
