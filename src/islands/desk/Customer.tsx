import { useState } from 'react'
import type { Customer as CustomerData, TimelineEntry } from '../../contract/desk.ts'
import { customerEndpoint } from '../../contract/desk.ts'
import { DESK_ACT } from '../../contract/desk-acts.ts'
import { amountInWords } from '../../lib/amount-in-words.ts'
import { formatMinute } from '../../lib/dates.ts'
import { formatSum } from '../../lib/numbers.ts'
import { deps } from '../../stores/browser.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Row } from '../../ui/Row.tsx'
import { stepUp } from '../factors/StepUp.tsx'
import { Loaded, useResource } from '../resource/Loaded.tsx'
import { AccountActs } from './AccountActs.tsx'
import { ActButton, type ActField } from './ActButton.tsx'
import { EvidenceLink, wordsOf } from './links.tsx'
import { Strip } from './Strip.tsx'

/** One customer: who they are, and everything that happened to them. */
export default function Customer({ userId }: { userId: string }) {
  const page = useResource(() => stepUp.call(customerEndpoint, { params: { userId } }))
  return (
    <Loaded resource={page} loading="Loading the customer…">
      {({ customer, timeline }) => (
        <>
          <Strip customer={customer} />
          <Who customer={customer} onDone={page.load} />
          <Timeline customer={customer} entries={timeline} onDone={page.load} />
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
    <Panel title={email}>
      <p className="desk-badges">
        <Badge tone={isEmailVerified ? 'green' : 'orange'}>
          {isEmailVerified ? 'verified' : 'not verified'}
        </Badge>
      </p>
      <dl className="facts">
        <Fact name="Name">{name === '' ? username : `${name} (${username})`}</Fact>
        <Fact name="Account">{customer.id}</Fact>
        <Fact name="Since">{formatMinute(customer.createdAt)}</Fact>
        <Fact name="Sign-in methods">{customer.waysIn.join(', ') || 'none'}</Fact>
        <Fact name="Signed in on">
          {sessions.map(({ device }) => device).join(', ') || 'no device'}
        </Fact>
      </dl>
      {customer.purchases.length > 0 && (
        <>
          <h3>Purchases</h3>
          <ul className="rows">
            {customer.purchases.map((purchase) => (
              <PurchaseRow key={purchase.id} {...{ customer, purchase, onDone }} />
            ))}
          </ul>
        </>
      )}
      {customer.deletedAt === null && <AccountActs customer={customer} onDone={onDone} />}
    </Panel>
  )
}

type Purchase = CustomerData['purchases'][number]

function PurchaseRow({ customer, purchase, onDone }: Props & { purchase: Purchase }) {
  const { id, sku, amountMinor, currency, status, createdAt, receiptNumber } = purchase
  const { noRefund, toDo, disputeId } = purchase
  const sold = `${wordsOf(sku)} · ${formatSum(amountMinor, currency)}`
  // What is to be done says too why no money can go back.
  const said = toDo ?? noRefund
  const shared = { of: customer.email, about: `${sold} · ${id}`, onDone }
  const subject = { userId: customer.id, purchaseId: id }
  return (
    <Row
      note={
        <>
          {[id, receiptNumber, formatMinute(createdAt)].filter(Boolean).join(' · ')}
          {disputeId !== null && <EvidenceLink disputeId={disputeId} />}
        </>
      }
      action={
        <div className="desk-acts">
          {noRefund === null && (
            <ActButton
              {...shared}
              label="Refund"
              field={refundField(currency)}
              act={(typed) => ({ kind: 'refund', ...subject, amountMinor: minorIn(typed) })}
            />
          )}
          <ActButton
            {...shared}
            label="Ask Razorpay"
            act={() => ({ kind: 'ask_provider', ...subject })}
          />
        </div>
      }
      more={said === DESK_ACT.notPaid ? null : said}
    >
      {sold} <Badge tone={toneOf(status)}>{status}</Badge>
    </Row>
  )
}

function toneOf(status: string): 'green' | 'gray' | 'red' {
  if (status === 'paid') return 'green'
  return /disput|review/.test(status) ? 'red' : 'gray'
}

/** Spells out what was typed, because an amount is easily a zero too long. */
function refundField(currency: Purchase['currency']): ActField {
  return {
    label: `Amount in ${currency}`,
    isOptional: true,
    hint: (typed) => {
      const amount = minorIn(typed)
      if (amount === null) {
        return 'Empty: the price times the unused share of the tokens, and a plan ends.'
      }
      return Number.isNaN(amount)
        ? DESK_ACT.amount
        : `${amountInWords(amount, currency)}. A plan goes on unless this is all of the money.`
    },
  }
}

/** `12`, `12.5` and `12.50` in minor units; null when nothing was typed, NaN for anything else. */
function minorIn(typed: string): number | null {
  if (typed.trim() === '') return null
  const [, whole, part = ''] = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(typed.trim()) ?? []
  return whole === undefined ? NaN : Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** The kinds of entries that each button of the timeline shows. */
const FILTERS: Record<string, readonly TimelineEntry['about'][]> = {
  Purchases: ['purchase', 'payment', 'refund', 'dispute'],
  Tokens: ['tokens'],
  'Mail and messages': ['mail', 'message'],
  Account: ['account'],
  Acts: ['act'],
}

/** The part of the address that names the filter, so that what is shown can be sent to a colleague. */
const PART = 'entries'

const filterInAddress = () => new URLSearchParams(location.search).get(PART)

function setInAddress(name: string | null) {
  const query = new URLSearchParams(location.search)
  if (name === null) query.delete(PART)
  else query.set(PART, name)
  deps.environment.replaceSearch(`?${query.toString()}`)
}

function Timeline({ customer, entries, onDone }: Props & { entries: readonly TimelineEntry[] }) {
  const [chosen, setChosen] = useState(() => filterInAddress() ?? 'All')
  const filters = Object.entries(FILTERS).flatMap(([name, kinds]) =>
    entries.some(({ about }) => kinds.includes(about)) ? [name] : [],
  )
  const kinds = FILTERS[chosen]
  const shown = kinds === undefined ? entries : entries.filter(({ about }) => kinds.includes(about))
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
        {shown.map(({ at, about, text, cause, isTrouble, mailId, disputeId }, index) => (
          <Row
            key={`${at} ${String(index)}`}
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
        ))}
      </ol>
    </Panel>
  )
}
