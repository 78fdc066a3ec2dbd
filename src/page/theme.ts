import { session } from '../features/session/session.ts'
import { createThemeSync } from '../features/session/theme-sync.ts'

/** Saves the theme chosen in the footer with the account, and shows a theme that the user chose on another device. */
export function startTheme() {
  const themeSync = createThemeSync()
  themeSync.start()
  // On the document, because the footer's own script stores the choice when the event reaches the menu.
  document.addEventListener('change', ({ target }) => {
    const { user } = session.$session.get()
    const isChoice = target instanceof Element && target.matches('[data-theme-choice]')
    if (isChoice && user !== null) themeSync.sync(user)
  })
}
