import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { Customer as CustomerData, TimelineEntry } from '../../contract/desk.ts'
import { DESK_ACT } from '../../contract/desk-acts.ts'
import { formatMinute } from '../../lib/dates.ts'
import { formatCount, formatSum } from '../../lib/numbers.ts'
import { deps } from '../../stores/browser.ts'
import { createCustomer } from '../../stores/desk.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { stepUp } from '../settings/step-up.ts'
import { AccountActs } from './AccountActs.tsx'
import { ActButton } from './ActButton.tsx'
import { wordsOf } from './DeskNav.tsx'
import { RefundButton } from './RefundButton.tsx'

/** One customer: who they are, and everything that happened to them. */
export function Customer({ userId }: { userId: string }) {
  const [store] = useState(() => createCustomer({ ...deps, confirmed: stepUp.confirmed }, userId))
  const state = useStore(store.$resource)
  useEffect(() => {
    void store.load()
  }, [store])
  if (state.status === 'failed') {
    return <RetryNotice onRetry={store.load}>{state.message}</RetryNotice>
  }
  if (state.data === null) return <Loading>Loading the customer…</Loading>
  const { customer, timeline } = state.data
  return (
    <>
      <Who customer={customer} onDone={store.load} />
      <Timeline customer={customer} entries={timeline} onDone={store.load} />
    </>
  )
}

interface Reloading {
  /** Loads the page's data again after an act. */
  onDone: () => Promise<unknown>
}

function Who({ customer, onDone }: Reloading & { customer: CustomerData }) {
  const { email, username, name, isEmailVerified, tokens, sessions } = customer
  return (
    <section className="card panel" aria-labelledby="who-title">
      <h2 id="who-title" className="breakable">
        {email}
      </h2>
      <p className="desk-badges">
        <Badge tone={isEmailVerified ? 'green' : 'orange'}>
          {isEmailVerified ? 'verified' : 'not verified'}
        </Badge>
        {customer.deletedAt !== null && <Badge tone="red">deleted</Badge>}
        {customer.suspendedAt !== null && <Badge tone="red">suspended</Badge>}
      </p>
      <dl className="facts">
        <Fact name="Name">{name === '' ? username : `${name} (${username})`}</Fact>
        <Fact name="Account">
          <span className="breakable">{customer.id}</span>
        </Fact>
        <Fact name="Since">{formatMinute(customer.createdAt)}</Fact>
        <Fact name="Signs in by">{customer.waysIn.join(', ') || 'nothing'}</Fact>
        <Fact name="Tokens">
          {formatCount(tokens.total - tokens.used)} left of {formatCount(tokens.total)}
        </Fact>
        <Fact name="Signed in on">
          {sessions.map(({ device }) => device).join(', ') || 'no device'}
        </Fact>
      </dl>
      {customer.purchases.length > 0 && <Purchases customer={customer} onDone={onDone} />}
      {customer.deletedAt === null && <AccountActs customer={customer} onDone={onDone} />}
    </section>
  )
}

type Purchase = CustomerData['purchases'][number]

/** What was bought, in words. */
function soldAs({ sku, amountMinor, currency }: Purchase): string {
  return `${wordsOf(sku)} · ${formatSum(amountMinor, currency)}`
}

function Purchases({ customer, onDone }: Reloading & { customer: CustomerData }) {
  const { id: userId, email } = customer
  return (
    <>
      <h3>Purchases</h3>
      <ul className="rows">
        {customer.purchases.map((purchase) => (
          <li key={purchase.id}>
            <Bought purchase={purchase} />
            <div className="desk-acts">
              {purchase.noRefund === null && (
                <RefundButton
                  userId={userId}
                  of={email}
                  about={`${soldAs(purchase)} · ${purchase.id}`}
                  purchase={purchase}
                  onDone={onDone}
                />
              )}
              <ActButton
                label="Ask Razorpay"
                of={email}
                about={`${soldAs(purchase)} · ${purchase.id}`}
                act={{ kind: 'ask_provider', userId, purchaseId: purchase.id }}
                onDone={onDone}
              />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

function toneOf(status: string): 'green' | 'gray' | 'red' {
  if (status === 'paid') return 'green'
  return /disput|review/.test(status) ? 'red' : 'gray'
}

function Bought({ purchase }: { purchase: Purchase }) {
  const { id, status, createdAt, receiptNumber, noRefund, toDo, disputeId } = purchase
  // What is to be done says too why no money can go back.
  const said = toDo ?? noRefund
  return (
    <div>
      <p>
        {soldAs(purchase)} <Badge tone={toneOf(status)}>{status}</Badge>
      </p>
      <p className="row-note">
        {[id, receiptNumber, formatMinute(createdAt)].filter(Boolean).join(' · ')}
        {disputeId !== null && <EvidenceLink disputeId={disputeId} />}
      </p>
      {said !== null && said !== DESK_ACT.notPaid && <p className="row-note">{said}</p>}
    </div>
  )
}

function EvidenceLink({ disputeId }: { disputeId: string }) {
  return (
    <>
      {' · '}
      <a href={`/desk?dispute=${disputeId}`}>Evidence</a>
    </>
  )
}

interface TimelineProps extends Reloading {
  customer: CustomerData
  entries: readonly TimelineEntry[]
}

function Timeline({ customer: { id: userId, email }, entries, onDone }: TimelineProps) {
  return (
    <section className="card panel" aria-labelledby="timeline-title">
      <h2 id="timeline-title">Timeline</h2>
      <ol className="rows timeline">
        {entries.map(({ at, about, text, cause, isTrouble, mailId, disputeId }, index) => (
          <li key={`${at} ${String(index)}`}>
            <div>
              <p>
                <Badge tone={isTrouble ? 'red' : 'gray'}>{about}</Badge> {text}
              </p>
              <p className="row-note">
                <time dateTime={at}>{formatMinute(at)}</time>
                {cause !== null && ` · by ${cause}`}
                {disputeId !== null && <EvidenceLink disputeId={disputeId} />}
              </p>
            </div>
            {mailId !== null && (
              <ActButton
                label="Send again"
                of={email}
                act={{ kind: 'resend_mail', userId, mailId }}
                onDone={onDone}
              />
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
