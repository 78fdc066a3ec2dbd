import { toasts } from '../features/toasts/toasts.ts'
import { session, TOKEN_KEY } from '../features/session/session.ts'
import { startBell } from './bell.ts'
import { each } from './elements.ts'
import { startGuard } from './guard.ts'
import { startNav } from './nav.ts'
import { startTheme } from './theme.ts'
import { startToasts } from './toast-region.ts'

/** Starts the shell around a page: session, guard, bar, bell, theme and toasts. */
export function startShell() {
  startToasts()
  startGuard()
  startNav()
  startBell()
  startTheme()
  followTheWorld()
  void session.start()
}

function followTheWorld() {
  addEventListener('storage', (event) => {
    if (event.key === TOKEN_KEY) void session.followOtherTab(event.newValue)
  })
  addEventListener('online', () => {
    if (session.$session.get().status === 'unreachable') void session.start()
  })
  addEventListener('pagehide', toasts.carry)
  addEventListener('pageshow', (event) => {
    // The browser restored the page from the back/forward cache, so its state may be stale.
    if (event.persisted) void session.comeBack()
  })
  for (const button of each('[data-retry-session]', HTMLButtonElement)) {
    button.addEventListener('click', () => void session.start())
  }
}
