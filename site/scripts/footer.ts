/**
 * Sets the theme choice, the year of the copyright line (a page may have been built last year) and the manifest, which
 * no first screen needs. It imports nothing, so that it stays inline and requests no file.
 */
const root = document.documentElement
const choice = document.querySelector<HTMLSelectElement>('[data-theme-choice]')
const year = document.querySelector('[data-year]')

if (choice) {
  const apply = () => {
    if (choice.value === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = choice.value
    try {
      localStorage.setItem('theme', choice.value)
    } catch {
      // The browser refuses storage: the choice is valid for this page only.
    }
  }
  // The HTML says "system": any other value was chosen before this script ran.
  if (choice.value === 'system') choice.value = root.dataset['theme'] ?? 'system'
  else apply()
  choice.addEventListener('change', apply)
}
addEventListener('load', () => {
  setTimeout(() => {
    const manifest = document.createElement('link')
    manifest.rel = 'manifest'
    manifest.href = '/manifest.webmanifest'
    document.head.append(manifest)
  }, 500)
})
if (year) year.textContent = String(new Date().getFullYear())
