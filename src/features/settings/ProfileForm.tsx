import { useState } from 'react'
import { ProfileInput, type User } from '../../contract/account.ts'
import { BIO_MAX } from '../../contract/limits.ts'
import { AUTH } from '../../contract/messages.ts'
import { z } from '../../contract/zod.ts'
import { createForm } from '../form/form.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Problem, useForm } from '../form/use-form.tsx'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'
import { Identity } from './Identity.tsx'

const Values = z.record(ProfileInput.keyof(), z.string())

/** The values of the form; what the user has not set is an empty text. */
function valuesOf(stored: Partial<Record<keyof z.infer<typeof ProfileInput>, string | null>>) {
  const fields = ProfileInput.keyof().options
  return Values.parse(Object.fromEntries(fields.map((field) => [field, stored[field] ?? ''])))
}

function createProfile(user: User, onSaved: () => void) {
  const form = createForm({
    schema: ProfileInput,
    initial: valuesOf({ ...user.profile, ...user }),
    keptAs: 'profile',
    send: (body) => session.call('PATCH /api/auth/profile', { body }),
    onSuccess: (saved) => {
      session.setUser(saved.user)
      toasts.success(AUTH.profileSaved)
      onSaved()
    },
  })
  form.focus('firstName')
  return form
}

interface Props {
  user: User
  onDone: () => void
}

/** Its script and its rules load when somebody edits their profile. */
export default function ProfileForm({ user, onDone }: Props) {
  const [form] = useState(() => createProfile(user, onDone))
  const { state, bind, formProps, submitProps } = useForm(form)
  const handleCancel = () => {
    form.reset()
    onDone()
  }
  return (
    <>
      <dl className="facts facts-columns">
        <Identity user={user} />
      </dl>
      <form {...formProps} className="form">
        <Problem text={state.problem} />
        <div className="form form-columns">
          <TextField {...bind('firstName')} label="First name" autoComplete="given-name" />
          <TextField {...bind('lastName')} label="Last name" autoComplete="family-name" />
        </div>
        <TextField {...bind('phone')} label="Phone" type="tel" autoComplete="tel" isOptional />
        <TextArea
          {...bind('bio')}
          label="Bio"
          rows={4}
          isOptional
          hint={`${state.values.bio.length}/${BIO_MAX} characters`}
        />
        <div className="row form-actions">
          <Button {...submitProps} busyLabel="Saving…">
            Save
          </Button>
          <Button isBusy={submitProps.isBusy} onClick={handleCancel}>
            Cancel
          </Button>
        </div>
      </form>
    </>
  )
}
