import type { User } from '../../../src/contract/account.ts'
import { replayEarlyValues } from '../../../src/lib/early-input.ts'
import type { PageState } from '../../../src/page/state.ts'
import { inlineScript } from '../inline-script.ts'

/** The data that a page keeps for the next one. `of` is the end of the token, so that no other account is shown it. */
interface Known {
  of: string
  plan: User['subscription']['status']
  texts: Record<string, string>
}

/**
 * Runs in the head, before the first paint. The page contains it as text, so it uses nothing from outside the function.
 *
 * - The stored token decides who may see the page until the server has answered.
 * - It sends the calls of the first screen before any module loads (src/stores/browser.ts takes the answers), and shows the
 *   user without waiting for one: at once what the last page showed, marked as such, and then what the server says.
 * - When a script does not load, it shows a sentence and a link instead of a blank page.
 */
function startEarly(tag: HTMLOrSVGScriptElement | null) {
  const root = document.documentElement
  const { guard, calls } = tag?.dataset ?? {}
  let token: string | null = null
  try {
    token = localStorage.getItem('token')
  } catch {
    // The browser refuses storage, so it has no token.
  }
  root.dataset.guard = guard
  // /login shows from the first paint that the session has ended.
  if (new URLSearchParams(location.search).has('ended')) root.dataset.ended = ''
  root.dataset.session = token === null ? 'guest' : 'loading'
  if (token !== null) {
    showKnown(token)
    sendCalls(token)
  } else if (guard === 'signed-in') {
    const { pathname, search, hash } = location
    location.replace(`/login?next=${encodeURIComponent(pathname + search)}${hash}`)
  }

  window.showUser = showUser
  addEventListener('astro:hydration-error', tellMissing, true)
  addEventListener('error', tellMissing, true)

  function sendCalls(bearer: string) {
    const headers = new Headers({
      accept: 'application/json',
      authorization: `Bearer ${bearer}`,
    })
    const send = (path: string) => fetch(path, { headers })
    const me = send('/api/auth/me')
    window.earlyAnswers = { '/api/auth/me': me }
    // With a query, such as a filter, the page sends other calls.
    for (const path of location.search === '' ? (calls?.split(' ') ?? []) : []) {
      window.earlyAnswers[path] = send(path)
      window.earlyAnswers[path].catch(() => undefined)
    }
    me.then((answer) => (answer.ok ? answer.clone().json() : null))
      .then((body: { user: User } | null) => {
        if (body !== null) {
          whenParsed(() => {
            showUser(body.user)
          })
        }
      })
      .catch(() => undefined)
  }

  function whenParsed(run: () => void) {
    if (document.readyState !== 'loading') run()
    else document.addEventListener('DOMContentLoaded', run)
  }

  /** Shows what a page last showed with this token. */
  function showKnown(bearer: string) {
    try {
      const known: Known = JSON.parse(localStorage.getItem('last-known') ?? '{}')
      if (known.of !== bearer.slice(-16)) return
      whenParsed(() => {
        write(known.texts)
        Object.assign(root.dataset, { known: '', plan: known.plan } satisfies PageState)
      })
    } catch {
      // Something else wrote there.
    }
  }

  function write(texts: Record<string, string>) {
    for (const [name, text] of Object.entries(texts)) {
      for (const place of document.querySelectorAll(`[data-user="${name}"]`)) {
        place.textContent = text
      }
    }
  }

  /** Fills in the user's data in the HTML of the page, and keeps it for the next one. */
  function showUser(user: User) {
    const { used, total } = user.tokens
    const shortName = user.firstName ?? user.username
    const texts = {
      initial: [...shortName][0]?.toUpperCase() ?? '',
      'short-name': shortName,
      'full-name': user.profile.fullName ?? user.username,
      email: user.email,
      'tokens-left': Math.max(0, total - used).toLocaleString('en-US'),
    }
    const plan = user.subscription.status
    write(texts)
    delete root.dataset.known
    Object.assign(root.dataset, { plan, session: 'signed-in' } satisfies PageState)
    try {
      const of = localStorage.getItem('token')?.slice(-16)
      if (of !== undefined) {
        localStorage.setItem('last-known', JSON.stringify({ of, plan, texts } satisfies Known))
      }
    } catch {
      // The browser refuses storage, so the next page waits for the server.
    }
  }

  /** Shows one message. Its link reloads the page, because some browsers never retry a failed import. */
  function tellMissing({ target }: Event) {
    // The payment script is not a module, and the purchase says what to do without it.
    const isPart = target instanceof Element && target.matches('script[type=module],astro-island')
    const place = isPart
      ? (target.closest('dialog astro-island') ?? document.querySelector('main'))
      : null
    if (place?.querySelector('[href=""]') === null)
      place.insertAdjacentHTML(
        'afterbegin',
        '<div class=wrap role=alert>Part of this page did not load. <a class=button href="">Try Again',
      )
  }
}

export const EARLY_SCRIPT = inlineScript(
  `(${replayEarlyValues.toString()})();(${startEarly.toString()})(document.currentScript)`,
)
