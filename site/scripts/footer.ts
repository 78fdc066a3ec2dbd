import { storageOf } from '../../src/lib/browser-storage.ts'

/**
 * Sets the theme choice and the current year, because the build may be from last year, and adds the manifest after the
 * page has loaded, which browsers would request while the first screen still loads.
 */
const root = document.documentElement
const choice = document.querySelector<HTMLSelectElement>('[data-theme-choice]')
const year = document.querySelector('[data-year]')

if (choice) {
  const apply = () => {
    if (choice.value === 'system') delete root.dataset['theme']
    else root.dataset['theme'] = choice.value
    storageOf(() => localStorage).setItem('theme', choice.value)
  }
  // The HTML preselects "system"; for any other value, the visitor chose it before this script ran.
  if (choice.value === 'system') choice.value = root.dataset['theme'] ?? 'system'
  else apply()
  choice.addEventListener('change', apply)
}
function addManifest() {
  const manifest = document.createElement('link')
  manifest.rel = 'manifest'
  manifest.href = '/manifest.webmanifest'
  document.head.append(manifest)
}
if (document.readyState === 'complete') addManifest()
else addEventListener('load', () => setTimeout(addManifest, 500))
if (year) year.textContent = String(new Date().getFullYear())
