import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { PURCHASE } from '../../contract/messages.ts'
import type { Receipt } from '../../contract/receipt.ts'
import { amountInWords } from '../../lib/amount-in-words.ts'
import { formatSellerDay } from '../../lib/dates.ts'
import { formatMinor } from '../../contract/amount.ts'
import { paymentMethodName } from '../../lib/payment-method.ts'
import { createReceipt } from './receipt.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { StatusCard } from '../../ui/StatusCard.tsx'
import { withErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { useUser } from '../session/use-user.ts'

const store = createReceipt()

/** /receipt?id=: one receipt, laid out for printing. */
export default withErrorBoundary('this receipt', ReceiptPage)

interface Props {
  /** The product's name, on paper too. */
  brandName: string
}

function ReceiptPage({ brandName }: Props) {
  const isSignedIn = useUser() !== null
  const state = useStore(store.$resource)
  useEffect(() => {
    if (isSignedIn) void store.load()
  }, [isSignedIn])
  if (state.data !== null) return <Sheet receipt={state.data.receipt} brandName={brandName} />
  if (state.status === 'loading') return <Loading>Loading the receipt…</Loading>
  const canRetry = state.status === 'failed' && state.message !== PURCHASE.notFound
  return (
    <StatusCard
      title="This receipt cannot be shown"
      actions={
        <>
          {canRetry && (
            <Button look="primary" onClick={() => void store.load()}>
              Try Again
            </Button>
          )}
          <ButtonLink look={canRetry ? 'secondary' : 'primary'} href="/profile?tab=subscription">
            Your purchases
          </ButtonLink>
        </>
      }
    >
      <p role="alert">{state.status === 'failed' ? state.message : ''}</p>
    </StatusCard>
  )
}

function Sheet({ receipt, brandName }: Props & { receipt: Receipt }) {
  const { invoice } = receipt
  // The name of the file in which it is saved.
  useEffect(() => {
    document.title = document.title.replace(/^.*(?= · )/, `Receipt ${receipt.number}`)
  }, [receipt.number])
  return (
    <article className="receipt">
      <header className="receipt-head">
        <div>
          <p translate="no">{brandName}</p>
          <p className="receipt-amount">{formatMinor(receipt.total, receipt.currency)}</p>
          <h1>
            {receipt.invoice === null ? 'Receipt' : 'Tax invoice'} {receipt.number}
          </h1>
          <p>{formatSellerDay(receipt.issuedAt)}, India time</p>
        </div>
        <Button onClick={() => print()}>Print</Button>
      </header>
      <dl className="facts facts-columns">
        <Party
          title="From"
          {...receipt.seller}
          lines={invoice === null ? [] : [invoice.sellerAddress, `GSTIN ${invoice.sellerGstin}`]}
        />
        <Party
          title="To"
          {...receipt.buyer}
          name={invoice?.buyerName ?? receipt.buyer.name}
          lines={invoice === null ? [] : buyerLines(invoice)}
        />
      </dl>
      <Lines receipt={receipt} />
      {invoice !== null && <p>{amountInWords(receipt.total, receipt.currency)}.</p>}
      {invoice?.note != null && <p>{invoice.note}</p>}
      <dl className="facts">
        <Fact name="Payment ID">{receipt.paymentId}</Fact>
        {receipt.creditNotes.map(({ number, issuedAt, amount, cancels }) => (
          <Fact
            key={number}
            name={`Credit note ${number}${cancels === null ? '' : `, cancels ${cancels}`}`}
          >
            {formatMinor(amount, receipt.currency)}, {formatSellerDay(issuedAt)}, India time
          </Fact>
        ))}
        {receipt.method !== null && <Fact name="Paid by">{paymentMethodName(receipt.method)}</Fact>}
      </dl>
    </article>
  )
}

type Invoice = NonNullable<Receipt['invoice']>

function buyerLines({ buyerAddress, buyerGstin, placeOfSupply }: Invoice): string[] {
  return [
    ...(buyerAddress === null ? [] : [buyerAddress]),
    ...(buyerGstin === null ? [] : [`GSTIN ${buyerGstin}`]),
    `Place of supply: ${placeOfSupply}`,
  ]
}

interface PartyProps {
  title: string
  name: string
  email: string
  /** What a tax invoice says besides. */
  lines: readonly string[]
}

function Party({ title, name, email, lines }: PartyProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {name}
        <br />
        <span className="breakable">{email}</span>
        {lines.map((line) => (
          <div key={line}>{line}</div>
        ))}
      </dd>
    </div>
  )
}

function Lines({ receipt }: { receipt: Receipt }) {
  const { lines, total, amountRefunded, amountChargedBack, currency, invoice } = receipt
  return (
    <table className="table receipt-lines">
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col">Quantity</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.description}>
            <td>
              {line.description}
              {invoice !== null && ` (SAC ${invoice.sac})`}
            </td>
            <td>{line.quantity}</td>
            <td>{formatMinor(line.amount, currency)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {invoice !== null &&
          taxLines(invoice).map(({ name, minor }) => (
            <Sum key={name} name={name} amount={formatMinor(minor, currency)} />
          ))}
        <Sum name="Total" amount={formatMinor(total, currency)} />
        {amountRefunded > 0 && (
          <Sum name="Refunded" amount={formatMinor(-amountRefunded, currency)} />
        )}
        {amountChargedBack > 0 && (
          <Sum name="Returned by your bank" amount={formatMinor(-amountChargedBack, currency)} />
        )}
      </tfoot>
    </table>
  )
}

/** The lines of the tax: two halves within a state, else one. */
function taxLines({ cgst, sgst, igst, ratePercent }: Invoice) {
  if (cgst > 0) {
    return [
      { name: `CGST ${ratePercent / 2}%`, minor: cgst },
      { name: `SGST ${ratePercent / 2}%`, minor: sgst },
    ]
  }
  return [{ name: `IGST ${ratePercent}%`, minor: igst }]
}

function Sum({ name, amount }: { name: string; amount: string }) {
  return (
    <tr>
      <th scope="row" colSpan={2}>
        {name}
      </th>
      <td>{amount}</td>
    </tr>
  )
}
