import { checkPassword } from '../../contract/password.ts'
import { PasswordField } from '../../ui/PasswordField.tsx'
import type { useForm } from './use-form.tsx'

interface Props {
  form: ReturnType<typeof useForm<{ password: string; confirmPassword: string }>>
  label: string
}

/** A new password with its rules, typed twice. */
export function NewPassword({ form: { state, bind }, label }: Props) {
  return (
    <>
      <PasswordField
        {...bind('password')}
        label={label}
        autoComplete="new-password"
        rules={checkPassword(state.values.password)}
      />
      <PasswordField
        {...bind('confirmPassword')}
        label="Confirm password"
        autoComplete="new-password"
      />
    </>
  )
}
