import type { Guard } from '../lib/environment.ts'
import type { SubscriptionStatus } from '../contract/account.ts'
import type { SessionState } from '../features/session/session.ts'

/**
 * The state of a page: the `data-*` attributes of <html>, all of them. Two functions in the head, readChoices
 * (site/layouts/Base.astro) and startEarly (site/layouts/account/early.ts), write them before the first paint, so styles
 * show and hide without waiting for a script.
 */
export interface PageState {
  /** The chosen theme; none follows the system. By readChoices, footer.ts and apply-theme.ts; for tokens.css. */
  theme?: 'light' | 'dark' | undefined
  /** Somebody is signed in, as far as we know. By readChoices and guard.ts; for nav.css (which bar), hero.css and site/scripts/shell.ts. */
  signedIn?: '' | undefined
  /** Who may see the page. By startEarly, from its tag; for stores/browser.ts, guard.ts, site/scripts/shell.ts and account.css. */
  guard?: Guard
  /** By startEarly and guard.ts; for account.css (page, spinner or "We cannot reach the server") and plans.css. */
  session?: SessionState['status']
  /** The status of the plan. By guard.ts; for plans.css and account.css (.if-active). */
  plan?: SubscriptionStatus | undefined
}

/** Sets attributes of <html>; `undefined` removes one. */
export function setPageState(state: PageState) {
  const { dataset } = document.documentElement
  for (const [name, value] of Object.entries(state)) {
    if (value === undefined) Reflect.deleteProperty(dataset, name)
    else dataset[name] = value
  }
}
