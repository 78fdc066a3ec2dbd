import type { Customer as CustomerData } from '../../contract/desk.ts'
import { formatMinute } from '../../lib/dates.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { stepUp } from '../factors/step-up.ts'
import { Loaded, useResource } from '../resource/Loaded.tsx'
import { AccountActs } from './AccountActs.tsx'
import { Strip } from './Strip.tsx'
import { Timeline } from './Timeline.tsx'

interface CustomerProps {
  userId: string
  /** After an act, for what is shown beside the customer. */
  onActed?: () => unknown
}

/** One customer: who they are, and everything that happened to them. */
export default function Customer({ userId, onActed }: CustomerProps) {
  const page = useResource(() =>
    stepUp.call('GET /api/desk/customers/{userId}', { params: { userId } }),
  )
  const reload = () => Promise.all([page.load(), onActed?.()])
  return (
    <Loaded resource={page} loading="Loading the customer…">
      {({ customer, timeline }) => (
        <>
          <Strip customer={customer} />
          <Who customer={customer} onDone={reload} />
          <Timeline customer={customer} entries={timeline} onDone={reload} />
        </>
      )}
    </Loaded>
  )
}

interface Props {
  customer: CustomerData
  /** Loads the page's data again after an act. */
  onDone: () => unknown
}

function Who({ customer, onDone }: Props) {
  const { email, username, name, isEmailVerified, sessions } = customer
  return (
    <Panel
      title={
        <>
          {email}{' '}
          <Badge tone={isEmailVerified ? 'green' : 'orange'}>
            {isEmailVerified ? 'verified' : 'not verified'}
          </Badge>
        </>
      }
    >
      <dl className="facts facts-columns">
        <Fact name="Name">{name === '' ? username : `${name} (${username})`}</Fact>
        <Fact name="Account ID">{customer.id}</Fact>
        <Fact name="Customer since">{formatMinute(customer.createdAt)}</Fact>
        <Fact name="Sign-in methods">{customer.waysIn.join(', ') || 'none'}</Fact>
        <Fact name="Signed in on">
          {sessions.map(({ device }) => device).join(', ') || 'no device'}
        </Fact>
      </dl>
      {customer.deletedAt === null && <AccountActs customer={customer} onDone={onDone} />}
    </Panel>
  )
}
