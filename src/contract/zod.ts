/**
 * The one place zod enters the product. `jitless` because zod would otherwise compile validators with
 * `new Function`, which our Content-Security-Policy refuses in the browser.
 */
import * as z from 'zod'
import { config } from 'zod'

// Not `z.config`: the browser's build takes calls on `z` for free of effects (tools/build/lean-bundles.mjs).
config({ jitless: true })

export { z }
