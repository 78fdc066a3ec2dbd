import { whenPainted } from './when-painted.ts'

/**
 * Loads the shell where it is needed. On a page without islands, signed-out visitors load only this script.
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
    // The head of the page reports this like any script that did not load (site/layouts/account/early.ts).
    () => document.querySelector('script')?.dispatchEvent(new Event('error')),
  )
}

if (isNeeded()) start()
else if (document.querySelector('astro-island') !== null) {
  // Public pages paint before the shell loads. Pages with a form for guests load it at once.
  if (document.documentElement.dataset['guard'] === 'public') whenPainted(start)
  else start()
}
