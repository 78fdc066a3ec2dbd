import type { ReactNode } from 'react'
import type { Customer } from '../../contract/desk.ts'
import { DESK_ACT } from '../../contract/desk-acts.ts'
import { formatMinute } from '../../lib/dates.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Row } from '../../ui/Row.tsx'
import { ActButton } from './ActButton.tsx'
import { EvidenceLink, wordsOf } from './links.tsx'
import { formatSum } from './formats.ts'

type Purchase = Customer['purchases'][number]

interface Props {
  customer: Customer
  purchase: Purchase
  onDone: () => unknown
  /** What happened to it. */
  children: ReactNode
}

/** A purchase with its state, its money and its acts, above what happened to it. */
export function PurchaseRow({ customer, purchase, onDone, children }: Props) {
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
        <>
          <div className="desk-acts">
            {noRefund === null && (
              <ActButton {...shared} label="Refund" act={() => ({ kind: 'refund', ...subject })} />
            )}
            <ActButton
              {...shared}
              label="Ask Razorpay"
              act={() => ({ kind: 'ask_provider', ...subject })}
            />
          </div>
          {children}
        </>
      }
      more={said === DESK_ACT.notPaid ? null : said}
    >
      <strong>{sold}</strong> <Badge tone={toneOf(status)}>{status}</Badge>
    </Row>
  )
}

function toneOf(status: string): 'green' | 'gray' | 'red' {
  if (status === 'paid') return 'green'
  return /disput|review/.test(status) ? 'red' : 'gray'
}
