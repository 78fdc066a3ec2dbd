import { type ReactNode, useRef, useState } from 'react'
import { optionName } from '../../contract/careers.ts'
import { OPEN_THINGS_MAX, type OpenThing } from '../../contract/desk.ts'
import type { Act } from '../../contract/desk-acts.ts'
import { formatAgo } from '../../lib/ago.ts'
import { formatMinute } from '../../lib/dates.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { named, onDemand, useEver } from '../../ui/on-demand.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { keepFocus } from '../../ui/take-focus.ts'
import { ActButton } from './ActButton.tsx'
import { DeskRow } from './DeskRow.tsx'
import { Named, pageOf, wordsOf } from './links.tsx'
import { formatAmount } from './formats.ts'

const TicketInPlace = onDemand(
  'the ticket',
  named(() => import('./Submission.tsx'), 'TicketInPlace'),
  <Loading>Loading the ticket…</Loading>,
)

interface Group {
  title: string
  of: readonly OpenThing['what'][]
}

/** Open work in groups: money with a time limit first, machines last. */
const GROUPS: readonly Group[] = [
  { title: 'Disputes', of: ['open dispute'] },
  { title: 'Money to settle', of: ['owed refund', 'unsettled purchase'] },
  { title: 'Tickets', of: ['ticket'] },
  { title: 'Applications', of: ['application'] },
  { title: 'Stuck emails and webhooks', of: ['unsent mail', 'unprocessed webhook'] },
]

interface Props {
  open: readonly OpenThing[]
  /** Milliseconds since the epoch. */
  now: number
  onDone: () => unknown
}

/** Everything that waits for a person or a job; the server has put the most urgent first. */
export function Queue({ open, now, onDone }: Props) {
  return (
    <Panel title="Queue">
      {open.length === 0 && <p className="empty">The queue is empty.</p>}
      {GROUPS.map(({ title, of }) => {
        const things = open.filter(({ what }) => of.includes(what))
        return (
          things.length > 0 && (
            <section key={title} className="desk-group" aria-label={title}>
              <h3>
                {title} <span className="desk-count">{countOf(things, of)}</span>
              </h3>
              <ul className="rows desk-rows">
                {things.map((thing) => {
                  const Row = thing.what === 'ticket' ? TicketRow : OpenRow
                  return (
                    <Row
                      // Two refunds of one payment differ in their time; a ticket's time changes when somebody writes.
                      key={`${thing.what} ${thing.name} ${thing.what === 'ticket' ? '' : thing.since}`}
                      {...{ thing, now, onDone }}
                    />
                  )
                })}
              </ul>
            </section>
          )
        )
      })}
    </Panel>
  )
}

/** `9`, or `30+` where the server may have more. */
function countOf(things: readonly OpenThing[], of: Group['of']): string {
  const isCut = of.some(
    (kind) => things.filter(({ what }) => what === kind).length >= OPEN_THINGS_MAX,
  )
  return `${String(things.length)}${isCut ? '+' : ''}`
}

interface RowProps extends Omit<Props, 'open'> {
  thing: OpenThing
}

/** A ticket opens in its row. What is typed there stays when it is closed again. */
function TicketRow(props: RowProps) {
  const { thing, onDone } = props
  const [isOpen, setIsOpen] = useState(false)
  const wasOpen = useEver(isOpen)
  const button = useRef<HTMLButtonElement>(null)
  const handleDone = async () => {
    const group = button.current?.closest('section')
    await onDone()
    requestAnimationFrame(() => keepFocus(group))
  }
  return (
    <OpenRow
      {...props}
      action={
        <Button size="small" ref={button} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Close' : 'Answer'}
        </Button>
      }
      below={
        wasOpen && (
          <div className="desk-below" hidden={!isOpen}>
            <TicketInPlace number={thing.name.slice(2)} onDone={handleDone} />
          </div>
        )
      }
    />
  )
}

interface OpenRowProps extends RowProps {
  action?: ReactNode
  below?: ReactNode
}

function OpenRow({ thing, now, onDone, action, below }: OpenRowProps) {
  const { what, name, who, tag, amountMinor, currency, since, until, urgency, userId } = thing
  return (
    <DeskRow
      subject={
        <>
          <strong>
            <Named page={pageOf(what, name, userId)} name={who === '' ? name : who} />
          </strong>{' '}
          {subjectOf(thing)}
        </>
      }
      id={what === 'unsent mail' || who === '' ? undefined : name}
      badge={
        urgency === 'waits' ? (
          tag === 'high' && <Badge tone="red">high</Badge>
        ) : (
          <Badge tone="red">{urgency}</Badge>
        )
      }
      amount={amountMinor !== null && currency !== null && formatAmount(amountMinor, currency)}
      time={
        until === null ? (
          <time dateTime={since}>{formatAgo(since, now)}</time>
        ) : (
          <>
            {urgency === 'passed' ? 'was due' : 'before'}{' '}
            <time dateTime={until}>{formatMinute(until)}</time>
          </>
        )
      }
      action={action ?? <ActInPlace thing={thing} onDone={onDone} />}
      below={below}
    />
  )
}

/** What the row is about, in a few words. */
function subjectOf({ what, tag, text }: OpenThing): string {
  switch (what) {
    case 'ticket':
      return text
    case 'application':
      return optionName(text)
    case 'open dispute':
      return wordsOf(tag)
    case 'owed refund':
      return tag === 'mismatch' ? 'wrong amount, refund it in Razorpay' : wordsOf(tag)
    case 'unsettled purchase':
      return `${wordsOf(text)}, ${tag}, the check is late`
    case 'unsent mail':
      return `${wordsOf(tag)}, ${text}`
    case 'unprocessed webhook':
      return tag
  }
}

/** The act that most often helps. */
function ActInPlace({ thing, onDone }: { thing: OpenThing; onDone: () => unknown }) {
  const { what, name, who, userId, subject } = thing
  if (what === 'open dispute') {
    return (
      <ButtonLink size="small" href={`/desk?dispute=${name}`}>
        Evidence
      </ButtonLink>
    )
  }
  const act = actOn(what, { userId, subject })
  if (act === null) return null
  return (
    <ActButton label={LABELS[act.kind]} of={who} about={name} act={() => act} onDone={onDone} />
  )
}

const LABELS = { ask_provider: 'Ask Razorpay', resend_mail: 'Send again' }

type ActOf = Extract<Act, { kind: keyof typeof LABELS }>

function actOn(
  what: OpenThing['what'],
  { userId, subject }: Pick<OpenThing, 'userId' | 'subject'>,
): ActOf | null {
  if (userId === null || subject === null) return null
  if (what === 'unsent mail') return { kind: 'resend_mail', userId, mailId: subject }
  return { kind: 'ask_provider', userId, purchaseId: subject }
}
