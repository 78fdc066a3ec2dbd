import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import type { User } from '../../contract/account.ts'
import { BIO_MAX } from '../../contract/limits.ts'
import { formatDay } from '../../lib/dates.ts'
import { deps } from '../../stores/browser.ts'
import { createProfile } from '../../stores/profile.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { TextField } from '../../ui/TextField.tsx'
import { Problem, useForm } from '../form/use-form.tsx'

const profile = createProfile(deps)

export default function ProfileTab({ user }: { user: User }) {
  const isEditing = useStore(profile.$isEditing)
  const button = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(isEditing)
  useEffect(() => {
    // The button that had the focus went with the form.
    if (wasEditing.current && !isEditing) takeFocus(button.current)
    wasEditing.current = isEditing
  }, [isEditing])
  return (
    <Panel
      title="Profile"
      action={
        !isEditing && (
          <Button ref={button} size="small" onClick={() => profile.edit(user)}>
            Edit profile
          </Button>
        )
      }
    >
      {isEditing ? <ProfileForm user={user} /> : <ProfileFacts user={user} />}
    </Panel>
  )
}

function ProfileFacts({ user }: { user: User }) {
  return (
    <dl className="facts facts-columns">
      <Identity user={user} />
      <OptionalFact name="First name" value={user.firstName} />
      <OptionalFact name="Last name" value={user.lastName} />
      <OptionalFact name="Phone" value={user.phone} />
      <OptionalFact name="Bio" value={user.profile.bio} />
      <Fact name="Member since">{formatDay(user.createdAt)}</Fact>
    </dl>
  )
}

/** The facts that the user cannot edit. */
function Identity({ user }: { user: User }) {
  return (
    <>
      <Fact name="Username">{user.username}</Fact>
      <Fact name="Email">
        {user.email}{' '}
        <Badge tone={user.isEmailVerified ? 'green' : 'orange'}>
          {user.isEmailVerified ? 'Verified' : 'Not verified'}
        </Badge>
      </Fact>
    </>
  )
}

function OptionalFact({ name, value }: { name: string; value: string | null }) {
  return <Fact name={name}>{value || <span className="absent">Not set</span>}</Fact>
}

function ProfileForm({ user }: { user: User }) {
  const { state, bind, frame, submit } = useForm(profile.form)
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
        <div className="form-actions">
          <Button {...submit} busyLabel="Saving…">
            Save
          </Button>
          <Button onClick={profile.cancel}>Cancel</Button>
        </div>
      </form>
    </>
  )
}
