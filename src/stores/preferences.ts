import type { Preferences, User } from '../contract/account.ts'
import { updatePreferencesEndpoint } from '../contract/account.ts'
import { AUTH } from '../contract/messages.ts'
import { sentenceOf } from './failure-text.ts'
import type { StoreDeps } from './session.ts'

interface PreferencesDeps extends StoreDeps {
  /** Shows a theme at once and stores it for the next page. */
  applyTheme: (theme: Preferences['theme']) => void
}

/** The preferences tab: each setting shows at once, saves on its own and reverts when saving fails. */
export function createPreferences({ session, toasts, applyTheme }: PreferencesDeps) {
  function showOn(user: User, preferences: Preferences) {
    session.setUser({ ...user, preferences })
    applyTheme(preferences.theme)
  }

  async function change(part: Partial<Preferences>) {
    const { user } = session.$session.get()
    if (user === null) return
    showOn(user, { ...user.preferences, ...part })
    const result = await session.call(updatePreferencesEndpoint, { body: part })
    if (result.ok) {
      showOn(result.data.user, result.data.user.preferences)
      toasts.success(AUTH.preferencesSaved)
      return
    }
    const shown = session.$session.get().user
    if (shown !== null) showOn(shown, user.preferences)
    toasts.error(sentenceOf(result))
  }

  return { change }
}
