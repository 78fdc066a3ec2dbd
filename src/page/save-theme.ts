import type { Preferences, User } from '../contract/account.ts'
import { updatePreferencesEndpoint } from '../contract/account.ts'
import { session } from '../stores/browser.ts'

/** Saves the theme with the account; null when that fails. */
export async function saveTheme(theme: Preferences['theme']): Promise<User | null> {
  const result = await session.call(updatePreferencesEndpoint, { body: { theme } })
  return result.ok ? result.data.user : null
}
