import { storageOf } from './browser-storage.ts'

/** Whether this page needs the session: somebody may be signed in, an island asks, or the page before left a toast. */
export const needsSession = (): boolean =>
  document.documentElement.dataset['session'] !== 'guest' ||
  document.querySelector('astro-island') !== null ||
  storageOf(() => sessionStorage).getItem('toasts') !== null
