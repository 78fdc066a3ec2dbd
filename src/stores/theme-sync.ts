import type { Preferences, User } from '../contract/account.ts'
import type { KeyValueStorage } from './environment.ts'
import type { Session } from './session.ts'

type Theme = Preferences['theme']

/** What this browser shows; the head of each page reads it before the first paint. */
export const THEME_KEY = 'theme'
/** What this browser and the account last had in common. */
const AGREED_KEY = 'theme-agreed'

interface ThemeSyncDeps {
  session: Session
  storage: KeyValueStorage
  applyTheme: (theme: Theme) => void
  /** Tells the account and answers its user, or null when it cannot be told now; the next page tries again. */
  save: (theme: Theme) => Promise<User | null>
}

/**
 * The theme of this browser (chosen in the footer, signed in or not) and that of the account (chosen anywhere) become
 * one: whichever changed since they last agreed. On a browser that is new to the account, the account's own choice
 * counts, unless it never made one.
 */
export function createThemeSync({ session, storage, applyTheme, save }: ThemeSyncDeps) {
  let isSaving = false

  async function tell(theme: Theme) {
    isSaving = true
    const user = await save(theme)
    isSaving = false
    if (user === null) return
    storage.setItem(AGREED_KEY, theme)
    session.setUser(user)
  }

  /** Call when the user is known, and when a theme was chosen on this page. */
  function meet({ preferences: { theme: account } }: User) {
    if (isSaving) return
    const here = themeOf(storage.getItem(THEME_KEY))
    const agreed = storage.getItem(AGREED_KEY) ?? 'system'
    if (here !== account && agreed === account) {
      void tell(here)
      return
    }
    if (here !== account) applyTheme(account)
    storage.setItem(AGREED_KEY, account)
  }

  return {
    meet,
    start: () =>
      session.$session.subscribe(({ user }) => {
        if (user !== null) meet(user)
      }),
  }
}

function themeOf(text: string | null): Theme {
  return text === 'light' || text === 'dark' ? text : 'system'
}
