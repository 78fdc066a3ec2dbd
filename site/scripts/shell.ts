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

if (isNeeded() || document.querySelector('astro-island') !== null) {
  void import('../../src/islands/shell/shell.ts').then(({ startShell }) => {
    startShell()
  })
}
