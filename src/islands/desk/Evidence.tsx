import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { EvidencePart } from '../../contract/desk.ts'
import { formatUtcMinute } from '../../lib/dates.ts'
import { deps } from '../../stores/browser.ts'
import { createEvidence } from '../../stores/desk.ts'
import { Button } from '../../ui/Button.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { stepUp } from '../settings/step-up.ts'

/** What answers a dispute, laid out for printing. */
export function Evidence({ disputeId }: { disputeId: string }) {
  const [store] = useState(() =>
    createEvidence({ ...deps, confirmed: stepUp.confirmed }, disputeId),
  )
  const state = useStore(store.$resource)
  useEffect(() => {
    void store.load()
  }, [store])
  if (state.status === 'failed') {
    return <RetryNotice onRetry={store.load}>{state.message}</RetryNotice>
  }
  if (state.data === null) return <Loading>Collecting the evidence…</Loading>
  const { dispute, parts } = state.data
  const { id, phase, beganAt, respondBy, userId } = dispute
  return (
    <article className="card panel" aria-labelledby="evidence-title">
      <h2 id="evidence-title">Evidence for a dispute</h2>
      <div className="form-actions no-print">
        <Button
          look="primary"
          onClick={() => {
            print()
          }}
        >
          Print
        </Button>
        <a href={`/desk?user=${userId}`}>The customer</a>
      </div>
      <dl className="facts">
        <Fact name="Dispute">{[id, phase, dispute.state].filter(Boolean).join(', ')}</Fact>
        <Fact name="Amount">
          {dispute.currency} {amount.format(dispute.amountMinor / 100)}
        </Fact>
        <Fact name="Began">{formatUtcMinute(beganAt)} UTC</Fact>
        {respondBy !== null && <Fact name="Answer before">{formatUtcMinute(respondBy)} UTC</Fact>}
      </dl>
      {parts.map((part) => (
        <Part key={part.title} part={part} />
      ))}
    </article>
  )
}

const amount = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 })

/** A text whose instants are written with their minute, in UTC because the bank's reader is elsewhere. */
function readable(text: string): string {
  return text.replaceAll(
    /\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g,
    (instant) => `${formatUtcMinute(instant)} UTC`,
  )
}

function Part({ part: { title, facts } }: { part: EvidencePart }) {
  return (
    <>
      <h3>{title}</h3>
      {facts.length === 0 && <p className="empty">Nothing is recorded.</p>}
      <dl className="facts">
        {facts.map(([name, value], index) => (
          <Fact key={`${name} ${String(index)}`} name={readable(name)}>
            {readable(value)}
          </Fact>
        ))}
      </dl>
    </>
  )
}
