import { useUser } from '../session/use-user.ts'
import { StepUp } from '../settings/StepUp.tsx'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Customer } from './Customer.tsx'
import { Evidence } from './Evidence.tsx'
import { Find } from './Find.tsx'
import { Today } from './Today.tsx'

/** The owner's desk. Its parts are addresses (`/desk?q=`), so that links, the back button and new tabs work. */
export default function Desk() {
  const isSignedIn = useUser() !== null
  if (!isSignedIn) return null
  const query = new URLSearchParams(location.search)
  return (
    <div className="stack desk">
      <h1>Desk</h1>
      <ErrorBoundary of="the desk">
        <Find q={query.get('q') ?? ''} />
        <Page userId={query.get('user')} disputeId={query.get('dispute')} />
      </ErrorBoundary>
      <StepUp />
    </div>
  )
}

function Page({ userId, disputeId }: { userId: string | null; disputeId: string | null }) {
  if (disputeId !== null) return <Evidence disputeId={disputeId} />
  return userId === null ? <Today /> : <Customer userId={userId} />
}
