import { THEME_KEY } from '../stores/theme-sync.ts'
import { setPageState } from './state.ts'

/** Shows a theme and stores it for the next page, whose head applies it before the first paint. */
export function applyTheme(theme: 'system' | 'light' | 'dark') {
  setPageState({ theme: theme === 'system' ? undefined : theme })
  localStorage.setItem(THEME_KEY, theme)
  const choice = document.querySelector<HTMLSelectElement>('[data-theme-choice]')
  if (choice !== null) choice.value = theme
}
