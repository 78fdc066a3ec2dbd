import { lazy, Suspense, useEffect, useState } from 'react'
import { TOKEN_PACK } from '../../contract/catalogue.ts'
import type { Currency } from '../../contract/currency.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx'
import { loadPart } from '../../ui/on-demand.tsx'
import { Panel } from '../../ui/Panel.tsx'

const TokenPurchasePanel = lazy(() => loadPart(() => import('./TokenPurchasePanel.tsx')))

/** "Purchase More Tokens". The first click loads the script of the modal. */
export function MoreTokens({ preferred }: { preferred: Currency }) {
  const [isWanted, setIsWanted] = useState(false)
  useEffect(() => {
    if (new URLSearchParams(location.search).get('buy') === 'tokens') setIsWanted(true)
  }, [])
  return (
    <Panel title="Purchase More Tokens">
      <p>
        A pack adds {formatCount(TOKEN_PACK.tokens)} tokens. They are used after those in your plan.
      </p>
      {isWanted ? (
        <ErrorBoundary of="the purchase" kept={<Opener onOpen={openAgain} />}>
          <Suspense fallback={<Opener isBusy />}>
            <TokenPurchasePanel preferred={preferred} />
          </Suspense>
        </ErrorBoundary>
      ) : (
        <Opener onOpen={() => setIsWanted(true)} />
      )}
    </Panel>
  )
}

/** A script that did not load comes only with a new page. */
function openAgain() {
  location.assign('?buy=tokens')
}

function Opener({ isBusy = false, onOpen }: { isBusy?: boolean; onOpen?: () => void }) {
  return (
    <Button look="primary" isBusy={isBusy} onClick={onOpen}>
      Purchase More Tokens
    </Button>
  )
}
