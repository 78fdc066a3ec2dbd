import { whenPainted } from './when-painted.ts'

/**
 * Starts what signed-in people have on every page. Signed-out readers of a page without islands load nothing
 * but these lines.
 */
function isNeeded(): boolean {
  try {
    const hasToken = localStorage.getItem('token') !== null
    return hasToken || sessionStorage.getItem('toasts') !== null
  } catch {
    return false
  }
}

function start() {
  import('../../src/islands/shell/shell.ts').then(
    ({ startShell }) => {
      startShell()
    },
    // The head of the page says it, as of a script that did not come (site/layouts/account/early.ts).
    () => document.querySelector('script')?.dispatchEvent(new Event('error')),
  )
}

if (isNeeded()) start()
else if (document.querySelector('astro-island') !== null) {
  // Readers of a public page see it before anything else is fetched; the forms of guests are what they came for.
  if (document.documentElement.dataset['guard'] === 'public') whenPainted(start)
  else start()
}
