/** Calls back once the page has loaded and the browser is idle. */
export function whenIdle(call: () => void) {
  const wait = () => {
    if ('requestIdleCallback' in window) requestIdleCallback(call)
    else setTimeout(call, 200)
  }
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait)
}
