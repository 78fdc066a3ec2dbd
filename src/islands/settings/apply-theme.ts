const KEY = 'theme'

/** Shows a theme at once and keeps it for the head of the next page, which sets it before the first paint. */
export function applyTheme(theme: 'system' | 'light' | 'dark') {
  if (theme === 'system') {
    localStorage.removeItem(KEY)
    delete document.documentElement.dataset.theme
  } else {
    localStorage.setItem(KEY, theme)
    document.documentElement.dataset.theme = theme
  }
}
