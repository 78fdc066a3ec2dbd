import type { Preferences } from '../../contract/account.ts'
import { Currency } from '../../contract/catalogue.ts'
import { Theme } from '../../contract/account.ts'
import { deps } from '../../stores/browser.ts'
import { createPreferences } from '../../stores/preferences.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { applyTheme } from './apply-theme.ts'

const store = createPreferences({ ...deps, applyTheme })

const THEMES = [
  { value: 'system', label: 'As my system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

const CURRENCIES = [
  { value: 'USD', label: 'USD ($)' },
  { value: 'INR', label: 'INR (₹)' },
]

const MAILS = [
  { name: 'mailReceipts', label: 'Receipts', hint: 'A mail for each payment and refund.' },
  { name: 'mailReminders', label: 'Reminders', hint: 'Before your plan or your tokens run out.' },
] as const

/** Each setting saves on its own, at once. */
export default function PreferencesTab({ preferences }: { preferences: Preferences }) {
  return (
    <section className="card panel" aria-labelledby="preferences-title">
      <h2 id="preferences-title">Preferences</h2>
      <div className="form form-narrow">
        <SelectField
          id="theme"
          name="theme"
          label="Theme"
          value={preferences.theme}
          options={THEMES}
          onValue={(value) => void store.change({ theme: Theme.parse(value) })}
        />
        <SelectField
          id="currency"
          name="currency"
          label="Currency shown first"
          value={preferences.currency}
          options={CURRENCIES}
          onValue={(value) => void store.change({ currency: Currency.parse(value) })}
        />
        <fieldset className="checks">
          <legend>Emails</legend>
          {MAILS.map(({ name, label, hint }) => (
            <Checkbox
              key={name}
              id={name}
              name={name}
              label={label}
              hint={hint}
              value={preferences[name]}
              onValue={(value) => void store.change({ [name]: value })}
            />
          ))}
          <p className="field-hint">
            Mails about your password and new sign-ins are always sent. They cannot be switched off.
          </p>
        </fieldset>
      </div>
    </section>
  )
}
