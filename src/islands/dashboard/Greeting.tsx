import type { User } from '../../contract/account.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Badge } from '../../ui/Badge.tsx'

/** What people come for stands first: how many tokens are left. */
export function Greeting({ user }: { user: User }) {
  const { used, total } = user.tokens
  return (
    <header className="page-head">
      <div className="page-title">
        <h1>Welcome back, {user.firstName ?? user.username}</h1>
        {user.subscription.status === 'active' && <Badge tone="green">Active</Badge>}
      </div>
      <p className="page-lead">
        {total === 0 ? (
          'No tokens yet. They come with a plan.'
        ) : (
          <>
            <strong className="num">{formatCount(Math.max(0, total - used))}</strong> tokens left
          </>
        )}
      </p>
    </header>
  )
}
