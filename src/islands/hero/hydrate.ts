import { hydrateRoot } from 'react-dom/client'

/** React in a separate file, so that parsing it and running it are two tasks (site/scripts/landing.ts). */
export const hydrate = hydrateRoot
