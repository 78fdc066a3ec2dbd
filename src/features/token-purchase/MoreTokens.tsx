import { useEffect, useState } from 'react'
import { TOKEN_PACK } from '../../contract/catalogue.ts'
import type { Currency } from '../../contract/currency.ts'
import { environment } from '../../lib/environment.ts'
import { formatCount } from '../../lib/numbers.ts'
import { packPrice } from '../../lib/pack-price.ts'
import { Button } from '../../ui/Button.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Panel } from '../../ui/Panel.tsx'

const TokenPurchase = onDemand(
  'the purchase',
  () => import('./TokenPurchase.tsx'),
  <Opener isBusy />,
)

const WANTED = 'buy=tokens'

/** "Purchase More Tokens". The first click loads the script of the modal. */
export function MoreTokens({ preferred }: { preferred: Currency }) {
  const [isWanted, setIsWanted] = useState(false)
  useEffect(() => {
    if (location.search.includes(WANTED)) setIsWanted(true)
  }, [])
  const handleOpen = () => {
    // Where the script does not load, "Try Again" reloads the page, which then opens the modal.
    environment.replaceSearch(`?${WANTED}`)
    setIsWanted(true)
  }
  return (
    <Panel title="Purchase More Tokens">
      <p>{`A pack adds ${formatCount(TOKEN_PACK.tokens)} tokens for ${packPrice(preferred)}, paid once. Your oldest tokens are used first.`}</p>
      {isWanted ? <TokenPurchase preferred={preferred} /> : <Opener onOpen={handleOpen} />}
    </Panel>
  )
}

function Opener({ isBusy = false, onOpen }: { isBusy?: boolean; onOpen?: () => void }) {
  return (
    <Button look="primary" isBusy={isBusy} onClick={onOpen}>
      Purchase More Tokens
    </Button>
  )
}
