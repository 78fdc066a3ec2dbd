import { hydrateRoot } from 'react-dom/client'

/** React alone, in a file of its own: reading it is a turn of work, using it another (site/scripts/landing.ts). */
export const hydrate = hydrateRoot
