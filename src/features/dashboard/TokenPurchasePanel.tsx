import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import type { Currency } from '../../contract/currency.ts'
import { environment } from '../../lib/environment.ts'
import { busyLabel, isBusy } from '../purchase/purchase-state.ts'
import { session } from '../session/session.ts'
import { createTokenPurchase } from './token-purchase.ts'
import { Button } from '../../ui/Button.tsx'
import { PurchaseNotice } from '../purchase/PurchaseNotice.tsx'
import { TokenPurchaseDialog } from './TokenPurchaseDialog.tsx'

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
