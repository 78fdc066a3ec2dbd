import type { Preferences, User } from '../../contract/account.ts'
import { updatePreferencesEndpoint } from '../../contract/account.ts'
import { session } from '../../stores/browser.ts'

/** Tells the account its theme; null when it cannot be told now. */
export async function saveTheme(theme: Preferences['theme']): Promise<User | null> {
  const result = await session.call(updatePreferencesEndpoint, { body: { theme } })
  return result.ok ? result.data.user : null
}
