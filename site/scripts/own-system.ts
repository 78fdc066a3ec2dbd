/** Marks the download for the visitor's system: sets `data-own` on `data-system="mac"` or `"windows"`. */
import { ownSystem } from '../../src/lib/own-system.ts'

const own = ownSystem(navigator.userAgent)
if (own) document.querySelector(`[data-system='${own}']`)?.toggleAttribute('data-own', true)
