import type { Preferences } from '../../contract/account.ts'
import { CURRENCY_OPTIONS } from '../../lib/numbers.ts'
import { createPreferences } from './preferences.ts'
import { Panel } from '../../ui/Panel.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { SelectField } from '../../ui/SelectField.tsx'

const store = createPreferences()

const THEMES = [
  { value: 'system', label: 'Match system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

/** Each setting saves on its own, at once. */
export default function PreferencesTab({ preferences }: { preferences: Preferences }) {
  return (
    <Panel title="Preferences">
      <div className="form form-rows">
        <SelectField
          id="theme"
          name="theme"
          label="Theme"
          value={preferences.theme}
          options={THEMES}
          onValue={(theme) => void store.change({ theme })}
        />
        <SelectField
          id="currency"
          name="currency"
          label="Preferred currency"
          value={preferences.currency}
          options={CURRENCY_OPTIONS}
          onValue={(currency) => void store.change({ currency })}
        />
        <fieldset className="checks">
          <legend>Emails</legend>
          <Checkbox
            id="mailReminders"
            name="mailReminders"
            label="Reminders"
            hint="Before your plan or your tokens run out."
            value={preferences.mailReminders}
            onValue={(mailReminders) => void store.change({ mailReminders })}
          />
          <p className="field-hint">
            We always email you about payments, refunds, your password, and a sign-in on a new kind
            of device or from a new network.
          </p>
        </fieldset>
      </div>
    </Panel>
  )
}
