import { useState } from 'react'
import type { Customer, TimelineEntry } from '../../contract/desk.ts'
import { formatCalendarDay, formatMinute } from '../../lib/dates.ts'
import { environment } from '../../lib/environment.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Row } from '../../ui/Row.tsx'
import { ActButton } from './ActButton.tsx'
import { type Group, groupsOf } from './group-timeline.ts'
import { EvidenceLink } from './links.tsx'
import { PurchaseRow } from './PurchaseRow.tsx'

type Entries = readonly TimelineEntry[]

const ofKinds =
  (...kinds: TimelineEntry['about'][]) =>
  ({ about }: TimelineEntry) =>
    kinds.includes(about)

/** What each button of the timeline shows. */
const FILTERS = new Map<string, (entry: TimelineEntry) => boolean>([
  ['Purchases', ({ purchaseId }) => purchaseId !== null],
  ['Tokens', ofKinds('tokens', 'use')],
  ['Emails and messages', ofKinds('mail', 'message')],
  ['Account', ofKinds('account')],
  ['Acts', ofKinds('act')],
])

/** The part of the address that names the filter, so that what is shown can be sent to a colleague. */
const PART = 'entries'

const filterInAddress = () => new URLSearchParams(location.search).get(PART)

function setInAddress(name: string | null) {
  const query = new URLSearchParams(location.search)
  if (name === null) query.delete(PART)
  else query.set(PART, name)
  environment.replaceSearch(`?${query.toString()}`)
}

interface Props {
  customer: Customer
  entries: Entries
  /** Loads the page's data again after an act. */
  onDone: () => unknown
}

/** Everything that happened to an account, newest first, with each purchase under a head of its own. */
export function Timeline({ customer, entries, onDone }: Props) {
  const [chosen, setChosen] = useState(() => filterInAddress() ?? 'All')
  const filters = [...FILTERS].flatMap(([name, isShown]) => (entries.some(isShown) ? [name] : []))
  const isShown = FILTERS.get(chosen)
  const shown = isShown === undefined ? entries : entries.filter(isShown)
  const groups = groupsOf(
    shown,
    customer.purchases.map(({ id }) => id),
  )
  const newest = groups.find(({ purchaseId }) => purchaseId !== null)
  return (
    <Panel title="Timeline">
      <div className="segments" role="group" aria-label="Entries of the timeline">
        {['All', ...filters].map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === chosen}
            onClick={() => {
              setChosen(name)
              setInAddress(name === 'All' ? null : name)
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <ol key={chosen} className="rows timeline">
        {groups.map((group) => (
          <GroupRow
            key={group.purchaseId ?? keyOf(group)}
            {...{ group, customer, onDone }}
            // A filter shows only the few entries that somebody looks for.
            isOpen={group === newest || !['All', 'Purchases'].includes(chosen)}
          />
        ))}
      </ol>
    </Panel>
  )
}

/** Of one instant there may be several entries. */
const keyOf = ({ entries }: Group) => entries.map(({ at, text }) => `${at} ${text}`).join('\n')

interface GroupProps extends Omit<Props, 'entries'> {
  group: Group
  isOpen: boolean
}

function GroupRow({ group: { purchaseId, entries }, customer, onDone, isOpen }: GroupProps) {
  const purchase = customer.purchases.find(({ id }) => id === purchaseId)
  const of = { customer, entries, onDone }
  if (purchase !== undefined) {
    return (
      <PurchaseRow {...{ customer, purchase, onDone }}>
        <Folded
          {...of}
          name={entries.length === 1 ? '1 entry' : `${String(entries.length)} entries`}
          isOpen={isOpen || entries.some(({ isTrouble }) => isTrouble)}
        />
      </PurchaseRow>
    )
  }
  const [newest, oldest] = [entries.at(0), entries.at(-1)]
  if (newest === undefined || oldest === undefined) return null
  if (newest === oldest) return <EntryRow {...of} entry={newest} />
  return (
    <Row
      note={`${dayOf(oldest)} to ${dayOf(newest)} (UTC)`}
      action={<Folded {...of} name="Each day" isOpen={false} />}
    >
      <Badge tone="gray">use</Badge> tokens used on {entries.length} days
    </Row>
  )
}

/** The day of an entry about use, which begins at midnight UTC. */
const dayOf = ({ at }: TimelineEntry) => formatCalendarDay(at.slice(0, 10))

function Folded({ name, isOpen, entries, ...of }: Props & { name: string; isOpen: boolean }) {
  // An act that fixes a problem leaves its group open.
  const [wasOpen] = useState(isOpen)
  return (
    <details className="desk-folded" open={wasOpen}>
      <summary>{name}</summary>
      <ol className="rows">
        {entries.map((entry, index) => (
          <EntryRow key={`${entry.at} ${String(index)}`} entry={entry} {...of} />
        ))}
      </ol>
    </details>
  )
}

function EntryRow({ entry, customer, onDone }: Omit<Props, 'entries'> & { entry: TimelineEntry }) {
  const { at, about, text, cause, isTrouble, mailId, disputeId } = entry
  return (
    <Row
      note={
        <>
          <time dateTime={at}>{formatMinute(at)}</time>
          {cause !== null && ` · by ${cause}`}
          {disputeId !== null && <EvidenceLink disputeId={disputeId} />}
        </>
      }
      action={
        mailId !== null && (
          <ActButton
            label="Send again"
            of={customer.email}
            act={() => ({ kind: 'resend_mail', userId: customer.id, mailId })}
            onDone={onDone}
          />
        )
      }
    >
      <Badge tone={isTrouble ? 'red' : 'gray'}>{about}</Badge> {text}
    </Row>
  )
}
