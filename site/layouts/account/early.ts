import type { User } from '../../../src/contract/account.ts'

/**
 * Runs in the head, before the first paint. It is written into the page as text, so it may use nothing from
 * outside of itself.
 *
 * - Nobody sees a page that is not theirs: the stored token decides until the server has answered.
 * - The question who is signed in is on its way before any module is, and its answer is shown without one.
 * - What people type, press or send before an island lives is kept for it (src/islands/form/use-form.ts,
 *   src/ui/ErrorBoundary.tsx): hydration would put the empty value back.
 */
function startEarly(tag: HTMLOrSVGScriptElement | null) {
  const root = document.documentElement
  const guard = tag?.dataset.guard
  let token: string | null = null
  try {
    token = localStorage.getItem('token')
  } catch {
    // Storage is refused in this browser: nobody is signed in here.
  }
  root.dataset.guard = guard
  root.dataset.session = token === null ? 'guest' : 'loading'
  if (token !== null) askWhoItIs(token)
  else if (guard === 'signed-in') {
    location.replace(`/login?next=${encodeURIComponent(location.pathname + location.search)}`)
  }

  window.showUser = showUser
  const typed = new WeakMap<EventTarget, string>()
  window.typedEarly = typed
  addEventListener('input', keepTyped, true)
  addEventListener('click', keepPressed, true)
  addEventListener('submit', holdBack, true)

  function askWhoItIs(bearer: string) {
    const headers = { accept: 'application/json', authorization: `Bearer ${bearer}` }
    window.earlyMe = fetch('/api/auth/me', { headers })
    window.earlyMe
      .then((answer) => (answer.ok ? answer.clone().json() : null))
      .then((body: { user: User } | null) => {
        if (body === null) return
        if (document.readyState !== 'loading') showUser(body.user)
        else {
          document.addEventListener('DOMContentLoaded', () => {
            showUser(body.user)
          })
        }
      })
      .catch(() => undefined)
  }

  /** Fills in what the HTML of a page says of its user. */
  function showUser(user: User) {
    const { used, total } = user.tokens
    const shortName = user.firstName ?? user.username
    const texts = {
      initial: shortName.charAt(0).toUpperCase(),
      'short-name': shortName,
      'full-name': user.profile.fullName ?? user.username,
      email: user.email,
      'tokens-left': Math.max(0, total - used).toLocaleString('en-US'),
    }
    for (const [name, text] of Object.entries(texts)) {
      for (const place of document.querySelectorAll(`[data-user="${name}"]`)) {
        place.textContent = text
      }
    }
    root.dataset.plan = user.subscription.status
    root.dataset.tokens = total === 0 ? 'none' : 'some'
    root.dataset.session = 'signed-in'
  }

  function keepTyped({ target }: Event) {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) {
      typed.set(target, target.value)
    }
  }

  function keepPressed({ target }: Event) {
    const early = 'astro-island[ssr] :is(button:not([type=submit]), input[type=radio])'
    const pressed = target instanceof Element ? target.closest(early) : null
    if (pressed instanceof HTMLElement) window.clickedEarly = pressed
  }

  function holdBack(event: SubmitEvent) {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.closest('astro-island') === null) return
    if (form.dataset.live !== undefined) return
    event.preventDefault()
    form.dataset.wanted = ''
  }
}

export const EARLY_SCRIPT = `(${startEarly.toString()})(document.currentScript)`
