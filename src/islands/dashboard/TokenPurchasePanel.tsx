import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import type { Currency } from '../../contract/catalogue.ts'
import { isBusy, STEP_LABEL } from '../../stores/purchase-state.ts'
import { Button } from '../../ui/Button.tsx'
import { PurchaseNotice } from '../plans/PurchaseNotice.tsx'
import { makeTokenPurchase } from './token-purchase-store.ts'
import { TokenPurchaseDialog } from './TokenPurchaseDialog.tsx'

interface Props {
  sellerName: string
  preferred: Currency
}

/** The button with its purchase behind it. Opens the modal as soon as it is there. */
export default function TokenPurchasePanel({ sellerName, preferred }: Props) {
  const [tokenPurchase] = useState(() => makeTokenPurchase(sellerName))
  const state = useStore(tokenPurchase.$purchase)
  const isOpen = useStore(tokenPurchase.$isOpen)
  const label = state.step === 'idle' || state.step === 'stopped' ? null : STEP_LABEL[state.step]
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Where the focus comes back to when the modal closes: this button took the place of the one pressed.
    button.current?.focus()
    tokenPurchase.open()
  }, [tokenPurchase])
  return (
    <>
      <Button
        ref={button}
        look="primary"
        isBusy={isBusy(state)}
        busyLabel={label}
        onClick={tokenPurchase.open}
      >
        Purchase More Tokens
      </Button>
      {!isOpen && <PurchaseNotice state={state} />}
      <TokenPurchaseDialog tokenPurchase={tokenPurchase} preferred={preferred} />
    </>
  )
}
