import type { KeyValueStorage } from './browser-storage.ts'

/** What a visitor chooses; `system` follows the system. */
export type Theme = 'system' | 'light' | 'dark'

/** The theme of this browser; the head of each page reads it before the first paint. */
export const THEME_KEY = 'theme'

/** The theme that the page shows: the visitor's choice, else the system's. */
export function shownTheme(): 'light' | 'dark' {
  const { theme } = document.documentElement.dataset
  if (theme === 'light' || theme === 'dark') return theme
  return systemIsDark().matches ? 'dark' : 'light'
}

/** Calls `follow` whenever the theme may have changed; the answer ends that. */
export function onThemeChange(follow: () => void): () => void {
  const observer = new MutationObserver(follow)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const system = systemIsDark()
  system.addEventListener('change', follow)
  return () => {
    observer.disconnect()
    system.removeEventListener('change', follow)
  }
}

const systemIsDark = () => window.matchMedia('(prefers-color-scheme: dark)')

/** Shows a theme at once, in the footer's menu too, and stores it for the next page. */
export function applyTheme(theme: Theme, storage: KeyValueStorage): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  storage.setItem(THEME_KEY, theme)
  const choice = document.querySelector<HTMLSelectElement>('[data-theme-choice]')
  if (choice !== null) choice.value = theme
}
