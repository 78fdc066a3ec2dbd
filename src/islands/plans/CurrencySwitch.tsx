import { useStore } from '@nanostores/react'
import { plans } from './store.ts'

const CURRENCIES = [
  { currency: 'USD', label: 'USD ($)' },
  { currency: 'INR', label: 'INR (₹)' },
] as const

export function CurrencySwitch() {
  const chosen = useStore(plans.$plans, { ssr: 'initial' }).currency
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">Currency</legend>
      {CURRENCIES.map(({ currency, label }) => (
        <label key={currency}>
          <input
            type="radio"
            name="currency"
            value={currency}
            checked={chosen === currency}
            onChange={() => void plans.choose(currency)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
