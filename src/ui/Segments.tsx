import { useHydrated } from './use-hydrated.ts'

interface Props<Value extends string> {
  legend: string
  name: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onValue: (value: Value) => void
}

/** Radio buttons that look like one switch. */
export function Segments<Value extends string>(props: Props<Value>) {
  const { legend, name, value: chosen, options, onValue } = props
  return (
    <fieldset className="segments" disabled={!useHydrated()}>
      <legend className="visually-hidden">{legend}</legend>
      {options.map(({ value, label }) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            onChange={() => onValue(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
