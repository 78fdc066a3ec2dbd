import type { Preferences } from '../../contract/account.ts'
import { AUTH } from '../../contract/messages.ts'
import { sentenceOf } from '../../api/failure-text.ts'
import { environment } from '../../lib/environment.ts'
import { session } from '../session/session.ts'
import { toasts } from '../toasts/toasts.ts'

/** The preferences tab: each setting shows at once, saves on its own and reverts when saving fails. */
export function createPreferences() {
  /** Shows some settings beside the others, which may have changed since. */
  function show(part: Partial<Preferences>) {
    const { user } = session.$session.get()
    if (user === null) return
    const preferences = { ...user.preferences, ...part }
    session.setUser({ ...user, preferences })
    environment.applyTheme(preferences.theme)
  }

  async function change(part: Partial<Preferences>) {
    const before: Partial<Preferences> = session.$session.get().user?.preferences ?? {}
    show(part)
    const result = await session.call('PATCH /api/auth/preferences', { body: part })
    if (result.ok) {
      toasts.success(AUTH.preferencesSaved)
      return
    }
    show(Object.fromEntries(Object.entries(before).filter(([name]) => name in part)))
    toasts.error(sentenceOf(result))
  }

  return { change }
}
