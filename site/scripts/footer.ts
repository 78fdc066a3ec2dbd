/**
 * The theme choice, the year of the copyright line, which a page built last year would have wrong, and the manifest,
 * which nobody needs before the page is there. It imports nothing, so that it stays in the page and asks for no file.
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
      // Storage is refused in this browser: the choice holds for this page.
    }
  }
  // It stands at "system" in the HTML: anything else was chosen before this script came.
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
