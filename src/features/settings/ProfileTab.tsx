import { useEffect, useRef, useState } from 'react'
import type { User } from '../../contract/account.ts'
import { formatDay } from '../../lib/dates.ts'
import { unsentOf } from '../../lib/unsent.ts'
import { Button } from '../../ui/Button.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { onDemand } from '../../ui/on-demand.tsx'
import { Identity } from './Identity.tsx'

const ProfileForm = onDemand(
  'the form',
  () => import('./ProfileForm.tsx'),
  <Loading>One moment…</Loading>,
)

export function ProfileTab({ user }: { user: User }) {
  // What was typed before a reload, or before the session ended, is shown again.
  const [isEditing, setIsEditing] = useState(() => unsentOf(user.id)['profile'] !== undefined)
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
          <Button ref={button} size="small" onClick={() => setIsEditing(true)}>
            Edit profile
          </Button>
        )
      }
    >
      {isEditing ? (
        <ProfileForm user={user} onDone={() => setIsEditing(false)} />
      ) : (
        <ProfileFacts user={user} />
      )}
    </Panel>
  )
}

function ProfileFacts({ user }: { user: User }) {
  const optional = {
    'First name': user.firstName,
    'Last name': user.lastName,
    Phone: user.phone,
    Bio: user.profile.bio,
  }
  const isGiven = ([, value]: [string, string | null]) => Boolean(value)
  const missing = Object.entries(optional).filter((fact) => !isGiven(fact))
  return (
    <>
      <dl className="facts facts-columns">
        <Identity user={user} />
        {Object.entries(optional)
          .filter(isGiven)
          .map(([name, value]) => (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ))}
        <Fact name="Member since">{formatDay(user.createdAt)}</Fact>
      </dl>
      {missing.length > 0 && (
        <p className="small muted">
          {`Not filled in: ${missing.map(([name]) => name.toLowerCase()).join(', ')}.`}
        </p>
      )}
    </>
  )
}
