/** The theme choice and the year of the copyright line, which a page built last year would have wrong. */
const root = document.documentElement
const choice = document.querySelector<HTMLSelectElement>('[data-theme-choice]')
const year = document.querySelector('[data-year]')

if (choice) {
  choice.value = root.dataset['theme'] ?? 'system'
  choice.addEventListener('change', () => {
    if (choice.value === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = choice.value
    try {
      localStorage.setItem('theme', choice.value)
    } catch {
      // Storage is refused in this browser: the choice holds for this page.
    }
  })
}
if (year) year.textContent = String(new Date().getFullYear())
