import type { User } from '../../contract/account.ts'
import { environment } from '../../lib/environment.ts'
import { type Theme, THEME_KEY } from '../../lib/theme.ts'
import { session } from './session.ts'

/** The theme on which this browser and the account last agreed. */
const AGREED_KEY = 'theme-agreed'

/**
 * Keeps the themes of this browser and the account the same. The one that changed since they last agreed wins. On a browser
 * that is new to the account, the account's theme wins unless it is still `system`.
 */
export function createThemeSync() {
  let isSaving = false

  /** When this fails, the next page tries again. */
  async function saveToAccount(theme: Theme) {
    isSaving = true
    const saved = await session.call('PATCH /api/auth/preferences', { body: { theme } })
    isSaving = false
    if (!saved.ok) return
    environment.storage.setItem(AGREED_KEY, theme)
    session.setUser(saved.data.user)
  }

  /** Call when the user is known, and after the user chooses a theme on this page. */
  function sync({ preferences: { theme: account } }: User) {
    if (isSaving) return
    const here = themeOf(environment.storage.getItem(THEME_KEY))
    const agreed = environment.storage.getItem(AGREED_KEY) ?? 'system'
    if (here !== account && agreed === account) {
      void saveToAccount(here)
      return
    }
    if (here !== account) environment.applyTheme(account)
    environment.storage.setItem(AGREED_KEY, account)
  }

  return {
    sync,
    start: () =>
      session.$session.subscribe(({ user }) => {
        if (user !== null) sync(user)
      }),
  }
}

function themeOf(text: string | null): Theme {
  return text === 'light' || text === 'dark' ? text : 'system'
}
