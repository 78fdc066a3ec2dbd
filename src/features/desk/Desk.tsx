import { useEffect } from 'react'
import { deskTitle } from '../../lib/desk-title.ts'
import { useUser } from '../session/use-user.ts'
import { StepUp } from '../factors/StepUp.tsx'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { named, onDemand } from '../../ui/on-demand.tsx'
import { DeskHead } from './DeskHead.tsx'
import { Find } from './Find.tsx'
import { Today } from './Today.tsx'

const wait = <Loading>One moment…</Loading>

// The day loads without the other parts.
const Customer = onDemand('the customer', () => import('./Customer.tsx'), wait)
const Evidence = onDemand('the evidence', () => import('./Evidence.tsx'), wait)
const SavedAnswers = onDemand('the saved answers', () => import('./SavedAnswers.tsx'), wait)
const Switches = onDemand('the switches', () => import('./Switches.tsx'), wait)
const submission = () => import('./Submission.tsx')
const Ticket = onDemand('the ticket', named(submission, 'Ticket'), wait)
const Application = onDemand('the application', named(submission, 'Application'), wait)
const inbox = () => import('./Inbox.tsx')
const Tickets = onDemand('the tickets', named(inbox, 'Tickets'), wait)
const Applications = onDemand('the applications', named(inbox, 'Applications'), wait)

/** The owner's desk. Its parts are addresses (`/desk?q=`), so that links, the back button and new tabs work. */
export default function Desk() {
  const isSignedIn = useUser() !== null
  useEffect(() => {
    const part = deskTitle(location.search)
    if (part !== null) document.title = `${part} · ${document.title}`
  }, [])
  if (!isSignedIn) return null
  const query = new URLSearchParams(location.search)
  return (
    <div className="stack desk">
      <DeskHead query={query} />
      <ErrorBoundary of="the desk">
        <Page query={query} />
      </ErrorBoundary>
      <StepUp />
    </div>
  )
}

/** One thing when the address names one, else a list. */
function Page({ query }: { query: URLSearchParams }) {
  const [disputeId, userId] = [query.get('dispute'), query.get('user')]
  const [ticket, application] = [query.get('ticket'), query.get('application')]
  const q = query.get('q') ?? ''
  if (q !== '') return <Find q={q} />
  if (disputeId !== null) return <Evidence disputeId={disputeId} />
  if (userId !== null) return <Customer userId={userId} />
  if (ticket !== null) return <Ticket number={ticket} />
  if (application !== null) return <Application number={application} />
  switch (query.get('show')) {
    case 'tickets':
      return <Tickets query={query} />
    case 'applications':
      return <Applications query={query} />
    case 'answers':
      return <SavedAnswers />
    case 'switches':
      return <Switches />
    default:
      return <Today />
  }
}
