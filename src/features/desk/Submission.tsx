import { ApplicationState, TicketState } from '../../contract/desk-inbox.ts'
import { optionName } from '../../contract/careers.ts'
import type { AnswerOf } from '../../contract/calls.ts'
import { APPLICATION_MONTHS } from '../../contract/limits.ts'
import { formatMinute } from '../../lib/dates.ts'
import { environment } from '../../lib/environment.ts'
import { humanise } from '../../lib/humanise.ts'
import { Badge } from '../../ui/Badge.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { stepUp } from '../factors/step-up.ts'
import { Problem } from '../form/use-form.tsx'
import { Loaded, useResource } from '../resource/Loaded.tsx'
import Customer from './Customer.tsx'
import { wordsOf } from './links.tsx'
import { actOn, Handling } from './Handling.tsx'
import { useSend } from './use-send.tsx'

interface Props {
  number: string
}

/** A ticket with what was written about it, and its sender's page beside it. */
export function Ticket({ number }: Props) {
  const page = useResource(() =>
    stepUp.call('GET /api/desk/tickets/{number}', { params: { number } }),
  )
  return (
    <Loaded resource={page} loading="Loading the ticket…">
      {({ ticket, fields, userId, entries, answers }) => (
        <div className="desk-beside">
          <Panel title={`T-${String(ticket.number)} from ${ticket.email}`}>
            <p className="row desk-badges">
              <Badge tone={ticket.state === 'closed' ? 'gray' : 'orange'}>{ticket.state}</Badge>
              <Badge tone={ticket.severity === 'high' ? 'red' : 'gray'}>{ticket.severity}</Badge>
              {ticket.isFeatureRequest && <Badge tone="gray">feature request</Badge>}
            </p>
            <Sender userId={userId} fields={fields} />
            <TicketHandling {...{ ticket, entries, answers, onReload: page.load }} />
            <Deletion what="ticket" submission={ticket} entries={entries} onReload={page.load} />
          </Panel>
          {userId !== null && (
            <div className="stack">
              <p className="small muted">
                Anyone can enter any address in the form. Until they have written from this address,
                do not ask for or reveal anything that only the account&apos;s user may know.
              </p>
              <Customer userId={userId} onActed={page.load} />
            </div>
          )}
        </div>
      )}
    </Loaded>
  )
}

type TicketPage = AnswerOf<'GET /api/desk/tickets/{number}'>

interface HandlingProps extends Pick<TicketPage, 'ticket' | 'entries' | 'answers'> {
  onReload: () => Promise<unknown>
  onDone?: () => unknown
}

function TicketHandling({ ticket, ...handling }: HandlingProps) {
  return (
    <Handling
      submission={ticket}
      opening={{ text: ticket.query, at: ticket.at }}
      states={TicketState.options}
      next="answered"
      isOver={ticket.state === 'answered' || ticket.state === 'closed'}
      {...handling}
    />
  )
}

/** The account of a ticket's sender, and what they filled in besides the text. */
function Sender({ userId, fields }: Pick<TicketPage, 'userId' | 'fields'>) {
  return (
    <dl className="facts">
      <Fact name="Account">
        {userId === null ? 'none with this address' : <AccountLink userId={userId} />}
      </Fact>
      <Fields fields={fields} />
    </dl>
  )
}

/** The conversation of a ticket and its form alone, to answer it where it is listed. */
export function TicketInPlace({ number, onDone }: Props & { onDone: () => unknown }) {
  const page = useResource(() =>
    stepUp.call('GET /api/desk/tickets/{number}', { params: { number } }),
  )
  return (
    <Loaded resource={page} loading="Loading the ticket…">
      {({ ticket, fields, entries, answers, userId }) => (
        <div className="stack">
          <Sender userId={userId} fields={fields} />
          <TicketHandling {...{ ticket, entries, answers, onReload: page.load, onDone }} />
        </div>
      )}
    </Loaded>
  )
}

/** An application with what was written about it. */
export function Application({ number }: Props) {
  const page = useResource(() =>
    stepUp.call('GET /api/desk/applications/{number}', { params: { number } }),
  )
  return (
    <Loaded resource={page} loading="Loading the application…">
      {({ application, fields, userId, entries, answers }) => (
        <Panel title={`A-${String(application.number)} ${application.fullName}`}>
          <p className="row desk-badges">
            <Badge tone={application.decidedAt === null ? 'orange' : 'gray'}>
              {wordsOf(application.state)}
            </Badge>
          </p>
          <dl className="facts">
            <Fact name="Job">{optionName(application.jobId)}</Fact>
            <Fact name="Email">{application.email}</Fact>
            <Fact name="Sent">{formatMinute(application.at)}</Fact>
            {application.decidedAt !== null && (
              <Fact name="Decided">
                {formatMinute(application.decidedAt)}; deleted {APPLICATION_MONTHS} months later
              </Fact>
            )}
            {userId !== null && (
              <Fact name="Account">
                <AccountLink userId={userId} />
              </Fact>
            )}
            <Fields fields={fields.map(([name, value]) => [name, optionName(value)])} />
          </dl>
          <Handling
            submission={application}
            states={ApplicationState.options}
            next="in_talks"
            isOver={application.decidedAt !== null}
            entries={entries}
            answers={answers}
            onReload={page.load}
          />
          <Deletion
            what="application"
            submission={application}
            entries={entries}
            onReload={page.load}
          />
        </Panel>
      )}
    </Loaded>
  )
}

interface DeletionProps extends Pick<HandlingProps, 'onReload'> {
  what: 'ticket' | 'application'
  submission: { id: string }
  entries: TicketPage['entries']
}

/** Deletes a submission for good, when its sender asks for it. */
function Deletion({ what, ...of }: DeletionProps) {
  const { send, problem } = useSend()
  const handleYes = async () => {
    const done = await send(actOn(of, { kind: 'delete' }))
    if (done !== null) environment.navigateInstead(`/desk?show=${what}s`)
  }
  return (
    <>
      <Problem text={problem} />
      <ConfirmButton
        label={`Delete the ${what}`}
        title={`Delete the ${what}?`}
        yes="Delete it"
        isDangerous
        size="small"
        onYes={handleYes}
      >
        The {what}, its notes and its emails are deleted permanently. Make sure that its sender
        asked for it.
      </ConfirmButton>
    </>
  )
}

function AccountLink({ userId }: { userId: string }) {
  return <a href={`/desk?user=${userId}`}>Open account</a>
}

function Fields({ fields }: { fields: readonly (readonly [string, string])[] }) {
  return fields.map(([name, value]) => (
    <Fact key={name} name={humanise(name)}>
      <FieldValue value={value} />
    </Fact>
  ))
}

function FieldValue({ value }: { value: string }) {
  return /^https?:\/\//.test(value) ? (
    <a href={value} target="_blank" rel="noopener noreferrer nofollow">
      {value}
    </a>
  ) : (
    <span className="desk-words">{value}</span>
  )
}
