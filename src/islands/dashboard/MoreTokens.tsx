import { lazy, Suspense, useEffect, useState } from 'react'
import type { Currency } from '../../contract/catalogue.ts'
import { loadPart } from '../../lib/load-part.ts'
import { Button } from '../../ui/Button.tsx'

const TokenPurchasePanel = lazy(() => loadPart(() => import('./TokenPurchasePanel.tsx')))

/** "Purchase More Tokens": a card, and the modal it opens. What the modal needs is loaded with the first click. */
export function MoreTokens({ preferred }: { preferred: Currency }) {
  const [isWanted, setIsWanted] = useState(false)
  useEffect(() => {
    if (new URLSearchParams(location.search).get('buy') === 'tokens') setIsWanted(true)
  }, [])
  return (
    <div className="more-tokens">
      <h3>Purchase More Tokens</h3>
      <p>A pack adds a million tokens. They are used after those of your plan.</p>
      {isWanted ? (
        <Suspense fallback={<Opener isBusy />}>
          <TokenPurchasePanel preferred={preferred} />
        </Suspense>
      ) : (
        <Opener
          onOpen={() => {
            setIsWanted(true)
          }}
        />
      )}
    </div>
  )
}

function Opener({ isBusy = false, onOpen }: { isBusy?: boolean; onOpen?: () => void }) {
  return (
    <Button look="primary" isBusy={isBusy} onClick={onOpen}>
      Purchase More Tokens
    </Button>
  )
}
