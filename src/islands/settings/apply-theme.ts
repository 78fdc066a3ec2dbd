import { THEME_KEY } from '../../stores/theme-sync.ts'

/** Shows a theme and stores it for the next page, whose head applies it before the first paint. */
export function applyTheme(theme: 'system' | 'light' | 'dark') {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  localStorage.setItem(THEME_KEY, theme)
  const choice = document.querySelector<HTMLSelectElement>('[data-theme-choice]')
  if (choice !== null) choice.value = theme
}
