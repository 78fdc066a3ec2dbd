import type { KeyValueStorage } from './browser-storage.ts'

/** What a visitor chooses; `system` follows the system. */
export type Theme = 'system' | 'light' | 'dark'

/** The theme of this browser; the head of each page reads it before the first paint. */
export const THEME_KEY = 'theme'

/** Shows a theme at once, in the footer's menu too, and stores it for the next page. */
export function applyTheme(theme: Theme, storage: KeyValueStorage): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  storage.setItem(THEME_KEY, theme)
  const choice = document.querySelector<HTMLSelectElement>('[data-theme-choice]')
  if (choice !== null) choice.value = theme
}
