import type { EvidencePart } from '../../contract/desk.ts'
import { Button } from '../../ui/Button.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { stepUp } from '../factors/step-up.ts'
import { Loaded, useResource } from '../resource/Loaded.tsx'
import { formatUtcMinute, writeInstants } from './formats.ts'

/** What answers a dispute, laid out for printing. */
export default function Evidence({ disputeId }: { disputeId: string }) {
  const evidence = useResource(() =>
    stepUp.call('GET /api/desk/disputes/{disputeId}', { params: { disputeId } }),
  )
  return (
    <Loaded resource={evidence} loading="Collecting the evidence…">
      {({ dispute, parts }) => (
        <Panel title="Evidence for a dispute">
          <div className="row no-print">
            <Button look="primary" size="small" onClick={() => print()}>
              Print
            </Button>
            <a href={`/desk?user=${dispute.userId}`}>The customer</a>
          </div>
          <dl className="facts desk-evidence">
            <Fact name="Dispute">
              {[dispute.id, dispute.phase, dispute.state].filter(Boolean).join(', ')}
            </Fact>
            <Fact name="Amount">
              {dispute.currency} {amount.format(dispute.amountMinor / 100)}
            </Fact>
            <Fact name="Opened">{formatUtcMinute(dispute.beganAt)} UTC</Fact>
            {dispute.respondBy !== null && (
              <Fact name="Answer by">{formatUtcMinute(dispute.respondBy)} UTC</Fact>
            )}
          </dl>
          {parts.map((part) => (
            <Part key={part.title} part={part} />
          ))}
        </Panel>
      )}
    </Loaded>
  )
}

const amount = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 })

/** A text with its times to the minute, in UTC because the bank's reader is elsewhere. */
const readable = (text: string) =>
  writeInstants(text, (instant) => `${formatUtcMinute(instant)} UTC`)

function Part({ part: { title, facts } }: { part: EvidencePart }) {
  return (
    <>
      <h3>{title}</h3>
      {facts.length === 0 && <p className="empty">Nothing is recorded.</p>}
      <dl className="facts desk-evidence">
        {facts.map(([name, value], index) => (
          <Fact key={`${name} ${String(index)}`} name={readable(name)}>
            {readable(value)}
          </Fact>
        ))}
      </dl>
    </>
  )
}
