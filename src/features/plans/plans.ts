import { atom } from 'nanostores'
import type { Currency } from '../../contract/currency.ts'
import type { Plan } from '../../contract/plans.ts'
import { majorAmount, PLANS, TOKEN_PACK } from '../../contract/catalogue.ts'
import { DEFAULT_CURRENCY } from '../../contract/kinds.ts'
import { TOAST } from '../../contract/messages.ts'
import { environment } from '../../lib/environment.ts'
import { toasts } from '../toasts/toasts.ts'

interface PlansState {
  status: 'loading' | 'ready' | 'failed'
  currency: Currency
  plans: readonly Plan[]
  tokenPack: { price: number; currency: Currency; tokens: number } | null
}

/** The plans in the chosen currency, which is USD on every load unless the account prefers INR. */
export function createPlans() {
  const $plans = atom<PlansState>({
    status: 'ready',
    currency: DEFAULT_CURRENCY,
    ...shippedWith(DEFAULT_CURRENCY),
  })
  let hasChosen = false

  async function load(currency: Currency) {
    const shown = $plans.get()
    // Prices already shown in this currency stay as they are: dimmed, they would look out of reach.
    const isShown = shown.status === 'ready' && shown.currency === currency
    if (!isShown) $plans.set({ ...shown, status: 'loading', currency })
    const result = await environment.call('GET /api/subscription/plans-with-pricing', {
      query: { currency },
    })
    if ($plans.get().currency !== currency) return
    if (result.ok) {
      const { plans, tokenPack } = result.data
      $plans.set({ status: 'ready', currency, plans, tokenPack })
      return
    }
    toasts.error(result.message || TOAST.plansFailed)
    $plans.set({ status: 'failed', currency, plans: [], tokenPack: null })
  }

  return {
    $plans,
    load: () => load($plans.get().currency),
    choose: (currency: Currency) => {
      hasChosen = true
      return currency === $plans.get().currency ? Promise.resolve() : load(currency)
    },
    /** The currency of the account's settings; a choice made on this page overrides it. */
    prefer: (currency: Currency) =>
      hasChosen || currency === $plans.get().currency ? Promise.resolve() : load(currency),
  }
}

/** The built-in catalogue. The page shows it until the server answers, so that it is complete from the start. */
function shippedWith(currency: Currency): Pick<PlansState, 'plans' | 'tokenPack'> {
  const packPrice = majorAmount(TOKEN_PACK.priceMinor[currency])
  return {
    plans: PLANS.map(({ sku, name, tokens, accessDays, features, priceMinor }) => ({
      id: sku,
      name,
      price: majorAmount(priceMinor[currency]),
      currency,
      tokens,
      accessDays,
      features: [...features],
    })),
    tokenPack: { price: packPrice, currency, tokens: TOKEN_PACK.tokens },
  }
}
