import { THEME_KEY } from '../../stores/theme-sync.ts'

/** Shows a theme at once and keeps it for the head of the next page, which sets it before the first paint. */
export function applyTheme(theme: 'system' | 'light' | 'dark') {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  localStorage.setItem(THEME_KEY, theme)
  const choice = document.querySelector<HTMLSelectElement>('[data-theme-choice]')
  if (choice !== null) choice.value = theme
}
