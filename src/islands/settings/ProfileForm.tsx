import { useState } from 'react'
import type { User } from '../../contract/account.ts'
import { BIO_MAX } from '../../contract/limits.ts'
import { deps } from '../../stores/browser.ts'
import { createProfileForm } from '../../stores/profile.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { Problem, useForm } from '../form/use-form.tsx'
import { Identity } from './Identity.tsx'

interface Props {
  user: User
  onDone: () => void
}

/** Its script and its rules load when somebody edits their profile. */
export default function ProfileForm({ user, onDone }: Props) {
  const [form] = useState(() => createProfileForm({ ...deps, user, onSaved: onDone }))
  const { state, bind, frame, submit } = useForm(form)
  return (
    <>
      <dl className="facts facts-columns">
        <Identity user={user} />
      </dl>
      <form {...frame} className="form">
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
          <Button {...submit} busyLabel="Saving…">
            Save
          </Button>
          <Button isBusy={submit.isBusy} onClick={onDone}>
            Cancel
          </Button>
        </div>
      </form>
    </>
  )
}
