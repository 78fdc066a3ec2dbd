import type { Preferences, User } from '../contract/account.ts'
import type { KeyValueStorage } from '../lib/browser-storage.ts'
import type { Session } from './session.ts'

type Theme = Preferences['theme']

/** The theme of this browser; the head of each page reads it before the first paint. */
export const THEME_KEY = 'theme'
/** The theme on which this browser and the account last agreed. */
const AGREED_KEY = 'theme-agreed'

interface ThemeSyncDeps {
  session: Session
  storage: KeyValueStorage
  applyTheme: (theme: Theme) => void
}

/**
 * Keeps the themes of this browser and the account the same. The one that changed since they last agreed wins. On a browser
 * that is new to the account, the account's theme wins unless it is still `system`.
 */
export function createThemeSync({ session, storage, applyTheme }: ThemeSyncDeps) {
  let isSaving = false

  /** When this fails, the next page tries again. */
  async function saveToAccount(theme: Theme) {
    isSaving = true
    const saved = await session.call('PATCH /api/auth/preferences', { body: { theme } })
    isSaving = false
    if (!saved.ok) return
    storage.setItem(AGREED_KEY, theme)
    session.setUser(saved.data.user)
  }

  /** Call when the user is known, and after the user chooses a theme on this page. */
  function sync({ preferences: { theme: account } }: User) {
    if (isSaving) return
    const here = themeOf(storage.getItem(THEME_KEY))
    const agreed = storage.getItem(AGREED_KEY) ?? 'system'
    if (here !== account && agreed === account) {
      void saveToAccount(here)
      return
    }
    if (here !== account) applyTheme(account)
    storage.setItem(AGREED_KEY, account)
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
