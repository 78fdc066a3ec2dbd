import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { formatMinor } from '../../contract/amount.ts'
import { TOKEN_PACK } from '../../contract/catalogue.ts'
import type { Purchase } from '../../contract/receipt.ts'
import { formatDay } from '../../lib/dates.ts'
import type { WithdrawalRequest } from '../../lib/mailed-refund.ts'
import { formatCount } from '../../lib/numbers.ts'
import type { createPurchases } from './purchases.ts'
import { Button } from '../../ui/Button.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { RetryNotice } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Row } from '../../ui/Row.tsx'
import { keepFocus } from '../../ui/take-focus.ts'
import { PurchaseTable } from '../purchase-list/PurchaseTable.tsx'

interface Props {
  purchases: ReturnType<typeof createPurchases>
  onWithdraw: (request: WithdrawalRequest) => void
}

/** All purchases, page by page, and the refund of those that the buyer can withdraw from. */
export function AllPurchases({ purchases, onWithdraw }: Props) {
  const { $resource, load, loadMore, again } = purchases
  const state = useStore($resource)
  useEffect(() => void load(), [load])
  const rows = state.data?.rows ?? []
  return (
    <Panel title="Purchases">
      <p className="visually-hidden" role="status">
        {state.status === 'ready' &&
          `${formatCount(rows.length)} ${rows.length === 1 ? 'entry' : 'entries'} shown`}
      </p>
      {rows.length > 0 && (
        <>
          <PurchaseTable purchases={rows} />
          <Withdrawable rows={rows} onWithdraw={onWithdraw} />
        </>
      )}
      {rows.length === 0 && state.status === 'loading' && (
        <Loading>Loading your purchases…</Loading>
      )}
      {rows.length === 0 && state.status === 'ready' && (
        <p className="muted">No purchases yet. Your receipts will appear here.</p>
      )}
      {state.status === 'failed' && <RetryNotice onRetry={again}>{state.message}</RetryNotice>}
      {state.data !== null && state.data.nextCursor !== null && (
        <Button
          size="small"
          isBusy={state.status === 'loading'}
          onClick={({ currentTarget }) => {
            const panel = currentTarget.closest('section')
            // After the last page the button is gone, and the first new row is what comes next.
            void loadMore().then(() =>
              keepFocus(panel?.querySelectorAll<HTMLElement>('tbody > tr')[rows.length] ?? panel),
            )
          }}
        >
          Show more
        </Button>
      )}
    </Panel>
  )
}

/** Directive 2011/83/EU, article 11a, asks for the second words; most people look for the first. */
const WITHDRAW = 'Get a refund (withdraw from contract)'

/** Each purchase that the buyer can withdraw from, with a button, and those already withdrawn from. */
function Withdrawable({
  rows,
  onWithdraw,
}: Pick<Props, 'onWithdraw'> & { rows: readonly Purchase[] }) {
  const shown = rows.filter(
    ({ state, refund, refundableUntil }) => refund ?? refundableUntil ?? state === 'disputed',
  )
  if (shown.length === 0) return null
  return (
    <>
      <h3>Refunds</h3>
      <ul className="rows">
        {shown.map((purchase) => (
          <Row
            key={purchase.purchaseId}
            note={refundNote(purchase)}
            action={
              purchase.refundableUntil !== null && (
                <Button
                  size="small"
                  aria-label={`${WITHDRAW} for ${purchase.item}, ${purchase.receiptNumber}`}
                  onClick={() => onWithdraw({ purchaseId: purchase.purchaseId })}
                >
                  {WITHDRAW}
                </Button>
              )
            }
          >
            {purchase.item}, {purchase.receiptNumber}
          </Row>
        ))}
      </ul>
      <p className="small muted">
        <a href="/refunds">How refunds work</a> ·{' '}
        <a href="/refunds#the-form">The withdrawal form</a>
      </p>
    </>
  )
}

function refundNote({ item, state, refund, refundableUntil, currency }: Purchase): string {
  if (state === 'disputed') return 'Your bank is disputing this payment.'
  if (state === 'charged_back') return 'Your bank returned this payment.'
  if (refund === null) {
    const ends = item === TOKEN_PACK.name ? '' : ' and the plan ends'
    return `You can get a refund for unused tokens until ${formatDay(refundableUntil ?? '')}. If you take it, they are removed${ends} at once.`
  }
  const { amount, askedAt, sentAt } = refund
  const sent = sentAt === null ? 'It is on its way.' : `Sent on ${formatDay(sentAt)}.`
  return `A refund of ${formatMinor(amount, currency)} was requested on ${formatDay(askedAt)}. ${sent}`
}
