import type { User } from '../../contract/account.ts'
import { session } from '../../stores/browser.ts'
import { each } from './elements.ts'

/** Fills the user menu and makes its menus close; the bar itself is plain HTML. */
export function startNav() {
  session.$session.subscribe(({ user }) => {
    if (user !== null) fill(user)
  })
  for (const button of each('[data-sign-out]', HTMLButtonElement)) {
    button.addEventListener('click', () => void signOut(button))
  }
  for (const menu of each('[data-menu]', HTMLElement)) {
    menu.addEventListener('click', (event) => {
      if (event.target instanceof Element && event.target.closest('a') !== null) menu.hidePopover()
    })
  }
  markCurrent()
}

function fill(user: User) {
  const shortName = user.firstName ?? user.username
  const texts = {
    initial: shortName.charAt(0).toUpperCase(),
    'short-name': shortName,
    'full-name': user.profile.fullName ?? user.username,
    email: user.email,
  }
  for (const [name, text] of Object.entries(texts)) {
    for (const place of each(`[data-user="${name}"]`, HTMLElement)) place.textContent = text
  }
}

async function signOut(button: HTMLButtonElement) {
  if (button.ariaDisabled === 'true') return
  button.ariaDisabled = 'true'
  button.textContent = 'Signing out…'
  await session.signOut()
}

function markCurrent() {
  const path = location.pathname
  for (const link of each('[data-account-nav] a', HTMLAnchorElement)) {
    if (link.pathname === path) link.ariaCurrent = 'page'
  }
}
