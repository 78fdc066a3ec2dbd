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
