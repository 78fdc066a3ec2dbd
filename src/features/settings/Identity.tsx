import type { User } from '../../contract/account.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Fact } from '../../ui/Fact.tsx'

/** The facts that the user cannot edit. */
export function Identity({ user }: { user: User }) {
  return (
    <>
      <Fact name="Username">{user.username}</Fact>
      <Fact name="Email">
        <span translate="no">{user.email}</span>{' '}
        <Badge tone={user.isEmailVerified ? 'green' : 'orange'}>
          {user.isEmailVerified ? 'Verified' : 'Not verified'}
        </Badge>
      </Fact>
    </>
  )
}
