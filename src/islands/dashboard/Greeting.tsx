import type { User } from '../../contract/account.ts'
import { Badge } from '../../ui/Badge.tsx'

export function Greeting({ user }: { user: User }) {
  return (
    <header className="page-head">
      <h1>Welcome back, {user.firstName ?? user.username}</h1>
      {user.subscription.status === 'active' && <Badge tone="green">Active</Badge>}
    </header>
  )
}
