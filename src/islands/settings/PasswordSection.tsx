import { PASSWORD_CHECKLIST } from '../../contract/password.ts'
import { Button } from '../../ui/Button.tsx'
import { PasswordChecklist } from '../../ui/PasswordChecklist.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Problem } from '../form/Problem.tsx'
import { useForm } from '../form/use-form.ts'
import { passwordChange } from './security-store.ts'

export function PasswordSection() {
  const { state, bind, frame } = useForm(passwordChange, passwordChange.submit)
  const rules = PASSWORD_CHECKLIST.map(({ id, label, holds }) => ({
    id,
    label,
    holds: holds(state.values.newPassword),
  }))
  return (
    <section className="card panel" aria-labelledby="password-title">
      <h2 id="password-title">Change password</h2>
      <form {...frame} className="form form-narrow">
        <Problem text={state.problem} />
        <PasswordField
          {...bind('currentPassword')}
          label="Current password"
          autoComplete="current-password"
        />
        <PasswordField
          {...bind('newPassword')}
          label="New password"
          autoComplete="new-password"
          below={state.values.newPassword !== '' && <PasswordChecklist rules={rules} />}
        />
        <p className="field-hint">Your other devices are signed out.</p>
        <div className="form-actions">
          <Button type="submit" look="primary" isBusy={state.isSubmitting} busyLabel="Saving…">
            Change password
          </Button>
        </div>
      </form>
    </section>
  )
}
