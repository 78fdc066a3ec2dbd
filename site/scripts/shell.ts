import { storageOf } from '../../src/lib/browser-storage.ts'
import './footer.ts'
import { showAnnouncement } from './announcement.ts'

/** Loads the shell where it is needed. Guests who only read load no more than this script. */
function isNeeded(): boolean {
  const { guard, signedIn } = document.documentElement.dataset
  // Where to go after signing in: the links between /login and /register pass it on.
  if (guard === 'guest' && location.search !== '') return true
  return signedIn !== undefined || storageOf(() => sessionStorage).getItem('toasts') !== null
}

function start() {
  // The head of the page reports this like any script that failed to load (site/layouts/account/early.ts).
  import('./start-shell.ts').catch((error: unknown) => {
    console.error(error)
    document.querySelector('script[type=module]')?.dispatchEvent(new Event('error'))
  })
}

/** The islands of public pages hydrate once a visitor uses them (when-used.ts); their messages need the shell. */
function startWithIsland({ target }: Event) {
  if (!(target instanceof Element && target.matches('astro-island'))) return
  removeEventListener('astro:hydrate', startWithIsland, true)
  start()
}

if (document.readyState === 'complete') void showAnnouncement()
else addEventListener('load', () => void showAnnouncement())
// An island that was used before this script arrived has already announced itself.
const isUsed = document.querySelector('astro-island:not([ssr])') !== null

if (isNeeded() || isUsed) start()
else addEventListener('astro:hydrate', startWithIsland, true)
