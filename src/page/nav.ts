import type { User } from '../contract/account.ts'
import { formatCount } from '../lib/numbers.ts'
import { session } from '../features/session/session.ts'
import { each } from './elements.ts'

/** Keeps the user's data in the bar current and closes its menus; the bar itself is plain HTML. */
export function startNav() {
  const signOuts = each('[data-sign-out]', HTMLButtonElement)
  session.$session.subscribe(({ user }) => {
    if (user === null) return
    showUser(user)
    // The browser may show a page again that somebody signed out on.
    for (const button of signOuts) {
      button.ariaDisabled = null
      button.textContent = 'Sign out'
    }
  })
  for (const button of signOuts) {
    button.addEventListener('click', () => void signOut(button))
  }
  for (const menu of each('[data-menu]', HTMLElement)) {
    menu.addEventListener('click', ({ target }) => {
      if (isWithin(target, 'a')) menu.hidePopover()
    })
    // Tab leaves it without closing it.
    addEventListener('focusin', ({ target }) => {
      if (!isWithin(target, `#${menu.id},[popovertarget=${menu.id}]`)) menu.hidePopover()
    })
  }
}

/** Fills in the user's data in the HTML of the page. */
function showUser({ firstName, username, email, profile, tokens }: User) {
  const shortName = firstName ?? username
  const texts = {
    initial: [...shortName][0]?.toUpperCase() ?? '',
    'short-name': shortName,
    'full-name': profile.fullName ?? username,
    email,
    'tokens-left': formatCount(Math.max(0, tokens.total - tokens.used)),
  }
  for (const [name, text] of Object.entries(texts)) {
    for (const place of each(`[data-user="${name}"]`, HTMLElement)) place.textContent = text
  }
}

function isWithin(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null
}

async function signOut(button: HTMLButtonElement) {
  if (button.ariaDisabled === 'true') return
  button.ariaDisabled = 'true'
  button.textContent = 'Signing out…'
  await session.signOut()
}
