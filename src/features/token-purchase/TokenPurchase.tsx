import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { TOKEN_PACK } from '../../contract/catalogue.ts'
import type { Currency } from '../../contract/currency.ts'
import { CURRENCIES } from '../../contract/kinds.ts'
import { environment } from '../../lib/environment.ts'
import { formatCount } from '../../lib/numbers.ts'
import { packPrice } from '../../lib/pack-price.ts'
import { AcceptedTerms } from '../../ui/AcceptedTerms.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { QuestionStep } from '../purchase/QuestionStep.tsx'
import { PurchaseNotice } from '../purchase/PurchaseNotice.tsx'
import { busyLabel, isBusy, isQuestion } from '../purchase/purchase-step.ts'
import { session } from '../session/session.ts'
import { createTokenPurchase, type TokenPurchase } from './token-purchase.ts'

const tokenPurchase = createTokenPurchase({
  // The dashboard's lists follow the user.
  onPaid: () => void session.start(),
})

/** The button that opens the purchase modal. This script loads on the first press, so it opens the modal at once. */
export default function TokenPurchasePanel({ preferred }: { preferred: Currency }) {
  const state = useStore(tokenPurchase.$purchase)
  const isOpen = useStore(tokenPurchase.$isOpen)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // This button replaces the one that the user pressed, and regains the focus when the modal closes.
    button.current?.focus()
    tokenPurchase.open()
    // Otherwise a reload of /dashboard?buy=tokens after the purchase asks for another.
    environment.replaceSearch('')
  }, [])
  return (
    <>
      {!isOpen && <PurchaseNotice state={state} />}
      <Button
        ref={button}
        look="primary"
        isBusy={isBusy(state)}
        busyLabel={busyLabel(state)}
        onClick={tokenPurchase.open}
      >
        Purchase More Tokens
      </Button>
      <TokenPurchaseDialog tokenPurchase={tokenPurchase} preferred={preferred} />
    </>
  )
}

const OPTIONS = CURRENCIES.map((value) => ({
  value,
  label: `${value} ${packPrice(value)}`,
}))

interface Props {
  tokenPurchase: TokenPurchase
  preferred: Currency
}

/** The token purchase modal. It closes while the payment window is open, because a modal dialog would cover that window. */
function TokenPurchaseDialog({ tokenPurchase, preferred }: Props) {
  const isOpen = useStore(tokenPurchase.$isOpen)
  const state = useStore(tokenPurchase.$purchase)
  const [currency, setCurrency] = useState<Currency>(preferred)
  const isPaying = state.step === 'paying' || state.step === 'confirming'
  if (isQuestion(state)) {
    return <QuestionStep state={state} onClose={tokenPurchase.leaveQuestion} />
  }
  return (
    <Dialog
      title="Purchase More Tokens"
      isOpen={isOpen && !isPaying}
      onClose={tokenPurchase.cancel}
    >
      <p className="panel-lead">{formatCount(TOKEN_PACK.tokens)} tokens</p>
      <p>A one-time payment. Your oldest tokens are used first.</p>
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
          {`Pay ${packPrice(currency)}`}
        </Button>
      </div>
    </Dialog>
  )
}
