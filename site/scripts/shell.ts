import { whenPainted } from './when-painted.ts'

/**
 * Starts what every page has for signed-in users. On a page without islands, signed-out readers load only these lines.
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
  // A public page is painted before anything else loads. On the form pages of guests the forms come first.
  if (document.documentElement.dataset['guard'] === 'public') whenPainted(start)
  else start()
}
