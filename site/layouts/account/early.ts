import { inlineScript } from '../inline-script.ts'

/**
 * Runs in the head, before the first paint, as text in the page, so it uses nothing from outside the function.
 *
 * - The stored token decides who may see the page until the server has answered.
 * - It sends the calls of the first screen before any module loads; src/lib/environment.ts takes the answers.
 * - When a script does not load, it says so.
 */
function startEarly(tag: HTMLOrSVGScriptElement | null) {
  addEventListener('astro:hydration-error', tellMissing)
  addEventListener('error', tellMissing, true)

  const root = document.documentElement
  const { guard, calls = '' } = tag?.dataset ?? {}
  let token: string | null = null
  try {
    token = localStorage.getItem('token')
  } catch {
    // The browser refuses storage, so it has no token.
  }
  root.dataset.guard = guard
  root.dataset.session = token === null ? 'guest' : 'loading'
  if (token === null) {
    const { pathname, search, hash } = location
    if (guard === 'signed-in')
      location.replace(`/login?next=${encodeURIComponent(pathname + search)}${hash}`)
    return
  }
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  window.earlyAnswers = {}
  // With a query, such as a filter, the page sends other calls.
  for (const path of ['/api/auth/me', ...(location.search === '' ? calls.split(' ') : [])]) {
    if (path === '') continue
    window.earlyAnswers[path] = fetch(path, { headers })
    window.earlyAnswers[path].catch(() => undefined)
  }

  /** Shows one message. Its link reloads the page, because some browsers never retry a failed import. */
  function tellMissing({ target }: Event) {
    // The payment script is not a module, and the purchase says what to do without it.
    if (!(target instanceof Element && target.matches('script[type=module],astro-island'))) return
    const place = target.closest('dialog astro-island') ?? document.querySelector('main')
    if (place?.querySelector('[href=""]') === null)
      place.insertAdjacentHTML(
        'afterbegin',
        '<div class=wrap role=alert>Part of this page did not load. <a class=button href="">Try Again',
      )
  }
}

export const EARLY_SCRIPT = inlineScript(`(${startEarly.toString()})(document.currentScript)`)
