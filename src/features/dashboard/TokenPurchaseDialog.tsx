import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { TOKEN_PACK } from '../../contract/catalogue.ts'
import { CURRENCIES } from '../../contract/kinds.ts'
import type { Currency } from '../../contract/currency.ts'
import { formatCount, formatMinor } from '../../lib/numbers.ts'
import { busyLabel, isBusy } from '../purchase/purchase-state.ts'
import type { TokenPurchase } from './token-purchase.ts'
import { AcceptedTerms } from '../../ui/AcceptedTerms.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { PlaceStep } from '../purchase/PlaceStep.tsx'
import { PurchaseNotice } from '../purchase/PurchaseNotice.tsx'

const OPTIONS = CURRENCIES.map((value) => ({
  value,
  label: `${value} ${formatMinor(TOKEN_PACK.priceMinor[value], value)}`,
}))

interface Props {
  tokenPurchase: TokenPurchase
  preferred: Currency
}

/** The token purchase modal. It closes while the payment window is open, because a modal dialog would cover that window. */
export function TokenPurchaseDialog({ tokenPurchase, preferred }: Props) {
  const isOpen = useStore(tokenPurchase.$isOpen)
  const state = useStore(tokenPurchase.$purchase)
  const [currency, setCurrency] = useState<Currency>(preferred)
  const isPaying = state.step === 'paying' || state.step === 'confirming'
  if (state.step === 'place') return <PlaceStep state={state} onClose={tokenPurchase.leavePlace} />
  return (
    <Dialog
      title="Purchase More Tokens"
      isOpen={isOpen && !isPaying}
      onClose={tokenPurchase.cancel}
    >
      <p className="panel-lead">{formatCount(TOKEN_PACK.tokens)} tokens</p>
      <p>A one-time payment. These tokens are used after those in your plan.</p>
      <Segments
        legend="Currency"
        name="pack-currency"
        value={currency}
        options={OPTIONS}
        onValue={setCurrency}
      />
      <PurchaseNotice state={state} />
      <AcceptedTerms by="paying" />
      <div className="dialog-actions">
        <Button onClick={tokenPurchase.cancel} isBusy={isBusy(state)}>
          Cancel
        </Button>
        <Button
          look="primary"
          isBusy={isBusy(state)}
          busyLabel={busyLabel(state)}
          onClick={() => void tokenPurchase.buy(currency)}
        >
          Pay {formatMinor(TOKEN_PACK.priceMinor[currency], currency)}
        </Button>
      </div>
    </Dialog>
  )
}
