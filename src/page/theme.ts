import { environment, session } from '../stores/browser.ts'
import { createThemeSync } from '../stores/theme-sync.ts'
import { applyTheme } from './apply-theme.ts'
import { each } from './elements.ts'

/** Saves the theme chosen in the footer with the account, and shows a theme that the user chose on another device. */
export function startTheme() {
  const themeSync = createThemeSync({
    session,
    storage: environment.storage,
    applyTheme,
    save: async (theme) => {
      const { saveTheme } = await import('./save-theme.ts')
      return saveTheme(theme)
    },
  })
  themeSync.start()
  for (const choice of each('[data-theme-choice]', HTMLSelectElement)) {
    choice.addEventListener('change', () => {
      const { user } = session.$session.get()
      if (user !== null) themeSync.sync(user)
    })
  }
}
